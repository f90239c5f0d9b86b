/**
 * Decides whether a command's temp folder replaces `/tmp`. Most programs and models write to `/tmp`, and the machine's
 * `/tmp` is read-only in the sandbox.
 */
import { delimiter, isAbsolute } from 'node:path';
import { isWithin, resolved } from '../../platform/executables.ts';
import { type Environment, platform } from '../../platform/platform.ts';
import { libraryPrograms } from './sandboxRuntime.ts';

const TMP = '/tmp';

const isInTmp = (path: string): boolean => [path, resolved(path)].some((one) => isWithin(one, TMP));

/** Whether `/tmp` contains files that every command needs. `readable`: toolchains. */
export function needsMachinesTmp({ environment, readable }: { environment: Environment; readable: readonly string[] }) {
  if (platform.name !== 'linux' || resolved(TMP) !== TMP) return true;
  const onPath = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return [process.execPath, ...readable, ...onPath, ...libraryPrograms()].some(isInTmp);
}

/** Whether replacing `/tmp` hides none of the paths that one command needs. */
export const canReplaceTmp = (needed: readonly string[]): boolean => !needed.some(isInTmp);

/** Note for a command that wrote to the machine's `/tmp`. Null if its output shows no such attempt. */
export function readOnlyTmpNote(output: string): string | null {
  return /\/tmp\/.*(?:Read-only file system|Operation not permitted)|(?:EROFS|EPERM).*'\/tmp\//.test(output)
    ? '/tmp is read-only here: write to $TMPDIR, the scratch folder of this session'
    : null;
}
