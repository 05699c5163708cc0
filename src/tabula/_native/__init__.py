"""The compiled modules: each has the kernels of one public module, and calls `tabula._core`."""
