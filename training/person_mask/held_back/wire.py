import sys
root=sys.argv[1]
def sub(p,*ab):
    p=root+'/'+p
    s=open(p).read()
    for a,b in ab:
        assert a in s,(p,a); s=s.replace(a,b,1)
    open(p,'w').write(s)
sub('desktop/overpaint/engine/passes/registry.py',
('from overpaint.engine.passes.cells import Cells\n','from overpaint.engine.passes.backdrop import Backdrop\nfrom overpaint.engine.passes.cells import Cells\n'),
('from overpaint.engine.passes.drypoint import','from overpaint.engine.passes.defocus import Defocus\nfrom overpaint.engine.passes.drypoint import'),
('from overpaint.engine.passes.sunlight import Sunlight\n','from overpaint.engine.passes.subject import Find, Keep, Vacate\nfrom overpaint.engine.passes.sunlight import Sunlight\n'),
('    "cells": Cells,\n','    "backdrop": Backdrop,\n    "cells": Cells,\n'),
('    "facets": Facets,\n','    "defocus": Defocus,\n    "facets": Facets,\n'),
('    "kuwahara": Kuwahara,\n','    "keep": Keep,\n    "kuwahara": Kuwahara,\n'),
('    "pixels": Pixels,\n','    "person": Find,\n    "pixels": Pixels,\n'),
('    "wash": Wash,\n','    "vacate": Vacate,\n    "wash": Wash,\n'),
)
sub('desktop/overpaint/engine/prompts.py',('''        own = [step for step in self.look.passes if not self._left_out(step.name, step.parameters)]
        if with_photo and self.look.photo == "match" and all(step.name != "match" for step in own):
            yield "match", {"half": any(step.name in FROM_LOW for step in own)}
        for step in own:
            yield step.name, step.parameters
        if self.modifiers.touches_tone:
            yield "tone", self.modifiers.tone()
''','''        steps = list(self._painting(with_photo))
        if not any(name in OF_PERSON for name, _ in steps):
            steps = self._apart(steps)
        if any(name in OF_PERSON for name, _ in steps):
            # Whoever is brought back later must be seen before anything is painted.
            yield "person", {}
        yield from (step for step in steps if step[0] != "person")

    def _painting(self, with_photo: bool) -> Iterator[Step]:
        """The passes that paint the whole picture."""
        own = [step for step in self.look.passes if not self._left_out(step.name, step.parameters)]
        if with_photo and self.look.photo == "match" and all(step.name != "match" for step in own):
            yield "match", {"half": any(step.name in FROM_LOW for step in own)}
        for step in own:
            yield step.name, step.parameters
        if self.modifiers.touches_tone:
            yield "tone", self.modifiers.tone()

    def _apart(self, steps: list[Step]) -> list[Step]:
        """The same with what the prompt says of person and background."""
        changes = self.modifiers
        if changes.subject == "background":
            steps = [("vacate", {}), *steps, ("keep", {"part": "person"})]
        elif changes.spare_face > 0:
            steps = [*steps, ("keep", {"part": "face", "amount": changes.spare_face})]
        if changes.subject == "person":
            steps = [*steps, ("keep", {"part": "background"})]
        if changes.background_blur > 0:
            blur = {"radius": BLUR_RADIUS * min(1.5, changes.background_blur), "natural": False}
            steps = [*steps, ("defocus", blur)]
        return steps
'''),('''    def steps(self, with_photo: bool) -> Iterator[tuple[str, Mapping[str, object]]]:''','''    def steps(self, with_photo: bool) -> Iterator[Step]:'''),
('''@dataclass(frozen=True, slots=True)
class Reading:''','''OF_PERSON = frozenset({"vacate", "keep", "defocus", "backdrop"})
"""Passes that tell person and background apart."""

BLUR_RADIUS = 28.0
"""Radius of the discs of a background that is to be out of focus, pixels at 1080 rows."""

Step = tuple[str, Mapping[str, object]]
"""A pass's name and parameters."""


@dataclass(frozen=True, slots=True)
class Reading:'''))

sub('desktop/overpaint/engine/canvas.py',
("import cv2\n", "from typing import TYPE_CHECKING\n\nimport cv2\n"),
('Plane = NDArray[np.uint8]\n', 'if TYPE_CHECKING:\n    from overpaint.engine.person import Person\n\nPlane = NDArray[np.uint8]\n'),
('        self.y: Plane = self.source\n', '        self.y: Plane = self.source\n        self.person: Person | None = None\n'))
sub('desktop/overpaint/engine/passes/stage.py',
('import Canvas\n', 'import Canvas, Plane\n'),
('    detail: float = 1.0\n', '    detail: float = 1.0\n    reference: Plane | None = None\n'))
sub('desktop/overpaint/engine/cpu.py', ('reading.line_scale, detail.net)', 'reading.line_scale, detail.net, request.reference)'))
