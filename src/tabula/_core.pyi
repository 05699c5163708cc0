from typing import final

from tabula.rules import Rules

@final
class CompiledRules:
    @property
    def rules(self) -> Rules: ...

def general(rules: Rules) -> Rules: ...
def path(rules: Rules) -> str: ...
