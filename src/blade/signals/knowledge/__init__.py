"""KG and UK: interfaces used as they cannot be, workings that leave the right one."""
