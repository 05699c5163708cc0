"""Long work: threads, units of work over executors, and checkpoints."""
