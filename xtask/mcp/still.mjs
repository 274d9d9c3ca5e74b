// Loaded before a server: times that it tells are always the same, so that two runs can be compared to the byte.
Date.prototype.toLocaleTimeString = () => "12:00:00 AM";
Date.prototype.toString = () => "Thu Jan 01 1970";
