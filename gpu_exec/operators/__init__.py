"""The operators of the GPU, one file each; file and class names are those of the CPU's."""
