"""Who may ask for what in a browser: workers, requesters, operators, and the frame that hands work in."""
