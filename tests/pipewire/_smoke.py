import sys,time,os,tempfile,threading,logging
sys.path.insert(0,"tests")
logging.basicConfig(level=logging.INFO)
from pathlib import Path
import numpy as np, pytest
from helpers.pipewire_session import PipeWireSession
from helpers.pipewire_reader import PipeWireReader
from overpaint.media.virtual_camera.pipewire.node import PipeWireNode
mp=pytest.MonkeyPatch()
s=PipeWireSession(Path(tempfile.mkdtemp()),mp); s.start(); time.sleep(1)
n=PipeWireNode(1920,1080); n.wait_until_listed(2); print("listed")
img=np.random.default_rng(0).integers(0,256,(1620,1920),np.uint8)
stop=False; err=[]
def feed():
    t0=time.monotonic(); k=0
    try:
        while not stop:
            n.send(img); k+=1; time.sleep(max(0,t0+k/30-time.monotonic()))
    except Exception as e: err.append(e); print("feed ended",e)
th=threading.Thread(target=feed); th.start()
r=PipeWireReader()
t=r.wait_for(60,5); print(r.layout, np.array_equal(t[-1].data,img.reshape(-1)), [x.number for x in t][-5:], (t[-1].seconds-t[-31].seconds))
r2=PipeWireReader(); t=r2.wait_for(30,5); print("two", len(t), np.array_equal(t[-1].data,img.reshape(-1)))
r.close(); c=len(r2.taken); time.sleep(1); print("one left", len(r2.taken)-c, n.read)
r2.close(); time.sleep(.5); print("none", n.read)
for k in ("NV12","YUY2"):
  for sz in ((1920,1080),(1280,720)):
    r=PipeWireReader(k,sz); t=r.wait_for(10,5); print(r.layout,len(t[-1].data)); r.close()
time.sleep(1);os.system("wpctl status|grep -A12 ^Video;pw-dump | grep -A40 '\"overpaint_camera\"' | head -5; gst-launch-1.0 -q pipewiresrc target-object=overpaint_camera num-buffers=30 ! video/x-raw ! filesink location=/tmp/o.yuv; ls -la /tmp/o.yuv")
s.stop(); time.sleep(.5); print("daemon gone", n._state, n._reason, err)
stop=True; th.join(); n.close(); print("closed")
s.close()
