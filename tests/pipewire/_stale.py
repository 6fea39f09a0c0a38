import sys,time,os,tempfile,threading,subprocess,signal
sys.path.insert(0,"tests")
from pathlib import Path
import numpy as np, pytest
from helpers.pipewire_session import PipeWireSession
from helpers.pipewire_reader import PipeWireReader
from overpaint.media.virtual_camera.pipewire.node import PipeWireNode
if len(sys.argv)>1:
    r=PipeWireReader(); r.wait_for(10); print("child reads",flush=True); time.sleep(60)
mp=pytest.MonkeyPatch()
s=PipeWireSession(Path(tempfile.mkdtemp()),mp); s.start(); time.sleep(1)
n=PipeWireNode(1920,1080); n.wait_until_listed(2); print("listed")
img=np.random.default_rng(0).integers(0,256,(1620,1920),np.uint8)
stop=False
def feed():
    t0=time.monotonic(); k=0
    while not stop:
        n.send(img); k+=1; time.sleep(max(0,t0+k/30-time.monotonic()))
th=threading.Thread(target=feed); th.start()
def first(r): t=r.wait_for(3)[:3]; return [(x.number, round(x.seconds-x.pts/1e9,3)) for x in t]
r=PipeWireReader(); print("first", first(r)); r.close()
time.sleep(1.5); r=PipeWireReader(); print("soon again", first(r)); r.close()
time.sleep(7); r=PipeWireReader(); print("after suspend", first(r)); r.close()
c=subprocess.Popen([sys.executable,__file__,"x"],stdout=subprocess.PIPE); c.stdout.readline()
os.kill(c.pid,signal.SIGSTOP); print("stopped"); c0=n._count; time.sleep(2); print("sent meanwhile",n._count-c0)
r=PipeWireReader()
try: print("beside a stopped one", first(r)); k=len(r.taken); time.sleep(2); print("goes on",len(r.taken)-k, "sent",n._count-c0)
except AssertionError as e: print("beside a stopped one: nothing",len(r.taken))
r.close()
c.kill(); c.wait(); time.sleep(1); r=PipeWireReader(); print("after kill", first(r)); k=len(r.taken); time.sleep(1); print(len(r.taken)-k); r.close()
stop=True; th.join(); n.close(); s.close()
