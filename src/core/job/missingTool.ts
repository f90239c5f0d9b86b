/** Finds missing programs and modules in the output of a failed command. */
import type { Evidence } from '../../shared/job/evidence.ts';
import { blockedCommand } from './environmentFault.ts';

/** A module or package that is not a file of the repository. */
const NO_MODULE = /\bCannot find (?:module|package) ['"](?![./])|\bNo module named\b/;

/** The line that names the missing tool or dependency. Null if the failure has another reason. */
export function missingLine(one: Pick<Evidence, 'exitCode' | 'tail'>): string | null {
  const blocked = blockedCommand(one);
  if (blocked?.by === 'tool_missing') return blocked.line;
  return (
    one.tail
      .split('\n')
      .find((line) => NO_MODULE.test(line))
      ?.trim()
      .slice(0, 400) ?? null
  );
}

/** A module that the work can create, other than a test runner. */
const OWN_MODULE = /\bNo module named (?!['"]?(?:pytest|tox|nox)\b)/;

/** The same line if only a setup command can make the command pass. Null for a module that a feature may still create. */
export function onlySetupHelps(one: Pick<Evidence, 'exitCode' | 'tail'>): string | null {
  const line = missingLine(one);
  return line === null || OWN_MODULE.test(line) ? null : line;
}

/** e.g. `exit code 1`, `timeout`. */
export const endText = ({ exitCode, ended }: Pick<Evidence, 'exitCode' | 'ended'>): string =>
  ended ?? `exit code ${exitCode ?? 'none'}`;
