/** Runs before each file of a process that several share, where each file has a `vscode` of its own: it loads what imports that one anew. */
import { vi } from 'vitest';

vi.resetModules();
