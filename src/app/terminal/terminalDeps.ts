/**
 * Provides the outside world to the terminal: this process's streams, signals and environment, and the workspaces of
 * this machine.
 */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../adapters/clock.ts';
import { ownEnvironment } from '../../adapters/platform/platform.ts';
import { leaveOut } from '../../adapters/platform/searchPath.ts';
import type { TerminalDeps } from '../../terminal/screen/world.ts';
import { openWorkspaces } from '../workspace/workspace.ts';
import { stopSignals } from './stopSignals.ts';
import { terminalIo } from './terminalIo.ts';

const { stdin: input, stdout: output } = process;
const env = ownEnvironment();

export function terminalDeps(version: string): TerminalDeps {
  const clock = systemClock();
  return {
    io: terminalIo(),
    env,
    cwd: process.cwd(),
    clock,
    version,
    signals: stopSignals(clock),
    workspaces: openWorkspaces({
      clock,
      version,
      workerScript: new URL('./worker.js', import.meta.url),
      wasmFile: fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url)),
      envOutside: (folders) => {
        // After this, this process starts no program inside these folders.
        leaveOut(folders);
        return ownEnvironment();
      },
    }),
    serveMcp: async (serving, signal) => {
      const { serveTools } = await import('../serve/mcp.ts');
      return serveTools({ ...serving, version, clock, input, output }, signal);
    },
    serveAcp: async (serving, signal) => {
      const { serveProject } = await import('../serve/acpServer.ts');
      return serveProject({ ...serving, version, input, output }, signal);
    },
  };
}
