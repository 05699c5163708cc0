"""What the tests share: both engines behind one face, tracks written shortly, and random rules and positions."""
