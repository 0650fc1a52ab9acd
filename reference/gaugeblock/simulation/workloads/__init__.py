"""Where arrivals come from: made up (``synthetic``), real counts with made-up pairing (``azure``), or lines of one's own."""
