"""Where COPY TO writes: files of each format, put in place whole."""
