"""What a run says: its inventory and numbers first (`inspection`, `metrics`); causes stand on these."""
