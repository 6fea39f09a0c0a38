import sys;root=sys.argv[1];sys.path[:0]=[root+'/packaging']
import contact_sheet as c,itertools,numpy as np
from PIL import Image
from pathlib import Path
from overpaint.engine.cpu import CpuEngine
F=Path(root)/'resources/looks/thumbnails';e=CpuEngine(threads=1)
mine=('background-blur','painted-room','backdrop')
for n in mine: Image.fromarray(c.thumbnail(e,n)).save(F/f'{n}.webp',quality=82,method=6)
P={p.stem:np.asarray(Image.open(p).convert('RGB'),np.float32) for p in F.glob('*.webp')}
for a,b in itertools.combinations(sorted(P),2):
    if (a in mine or b in mine) and np.abs(P[a]-P[b]).mean()<6: print(a,b,np.abs(P[a]-P[b]).mean())
