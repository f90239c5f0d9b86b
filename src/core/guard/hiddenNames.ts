/** Names that no agent may write, under any spelling that some file system takes for them. */

/** The 8.3 names that Windows may give a name with a leading dot: its first letters, or two of them and a hash. */
const shortNames = (start: string): RegExp => new RegExp(`^(?:${start}|${start.slice(0, 2)}[0-9a-f]{4})~\\d$`);

const SHORT_STATE = shortNames('autono');
const SHORT_GIT = shortNames('git');
const SHORT_ENV = /^(?:env(?:rc)?|en[0-9a-f]{4})~\d(?:\..*)?$/;

export function isStateName(name: string): boolean {
  const folded = foldedName(name);
  return folded === '.autonomous' || SHORT_STATE.test(folded);
}

/** Whether a path is inside a state folder, at any depth of a path as git writes it. */
export const isStatePath = (path: string): boolean => path.split('/').some(isStateName);

export function isGitName(name: string): boolean {
  const folded = foldedName(name);
  return folded === '.git' || SHORT_GIT.test(folded);
}

/** A name that marks a file as an example of secrets is not secret. */
export function isSecretName(name: string): boolean {
  const folded = foldedName(name);
  return /^\.env(?:rc$|$|\.(?!example$|sample$|template$))/.test(folded) || SHORT_ENV.test(folded);
}

/** Characters that some file systems leave out of a name. */
const LEFT_OUT = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Folds names that some file system treats as equal: composed or not, in any case, with ignored characters, with an NTFS stream, with dots
 * and spaces at the end. Some fold by uppercase (`ſ` is `s`), some by lowercase (`ẞ` is `ß`).
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(LEFT_OUT, '')
    .replace(/(?<=.):.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');
}

const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?$/;

/** A device, a stream, or a name whose end Windows drops: there the name means another file. */
export function isOtherOnWindows(name: string): boolean {
  if (name === '.' || name === '..') return false;
  return /[<>:"|?*]/.test(name) || /[. ]$/.test(name) || DEVICE.test(name.replace(/ +(?=\.|$)/, '').toLowerCase());
}

/** In bytes, for most file systems. */
const LONGEST_NAME = 255;
const utf8 = new TextEncoder();

/** Whether a name is one entry of a folder on every system, so that a path made with it leads into that folder. */
export function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name) || isOtherOnWindows(name)) return false;
  return utf8.encode(name).length <= LONGEST_NAME;
}
