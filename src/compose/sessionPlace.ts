/** A session's own folder: the spool through which its commands reach the engine, and the environment that says so. */
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { openSpool } from '../adapters/shell/spool.ts';
import type { OurTool } from '../agent/externalPorts.ts';
import type { SessionPlace, SessionVerbs } from '../engine/context.ts';
import type { Clock } from '../shared/clock.ts';

interface PlaceOptions {
  readonly clock: Clock;
  readonly projectDir: string;
  readonly jobDir: string;
  readonly sessionId: number;
  readonly verbs: SessionVerbs;
  readonly tools?: readonly OurTool[];
}

/** The folder is made at the first command: many sessions run none. */
export function openPlace(options: PlaceOptions): SessionPlace {
  const folder = join(options.jobDir, 'spool', String(options.sessionId));
  let opened: ReturnType<typeof openSpool> | null = null;
  return {
    enter: async () => {
      opened ??= openSpool(folder, (argv) => options.verbs(argv), { clock: options.clock });
      const spool = await opened;
      return {
        writable: spool.writable,
        readable: spool.readable,
        bin: spool.bin,
        env: {
          PATH: [spool.bin, process.env['PATH'] ?? '/usr/bin:/bin'].join(delimiter),
          // Seed 003's names. The project is the clone as far as a session is concerned.
          AUTONOMOUS_PROJECT_DIR: options.projectDir,
          AUTONOMOUS_SESSION_ID: String(options.sessionId),
          AUTONOMOUS_TEMPLATE_DIR: spool.bin,
        },
      };
    },
    close: async () => {
      if (opened === null) return;
      await (await opened).close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
