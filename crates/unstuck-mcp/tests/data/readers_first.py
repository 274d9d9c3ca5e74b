"""The same as readers_last.py, but of two members of one name the first is taken."""

import readers_last

readers_last.FIRST_WINS = True
readers_last.main()
