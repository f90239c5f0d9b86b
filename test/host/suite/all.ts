/** The tests that run inside the extension host, in their order. */
import './activation.ts';
import './api.ts';
import './brief.ts';
import './commands.ts';
import './notes.ts';
import './projects.ts';
