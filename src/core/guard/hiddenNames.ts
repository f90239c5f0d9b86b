/** Names that no agent may write, under any spelling that some file system takes for them. */

export function isStateName(name: string): boolean {
  const folded = foldedName(name);
  return folded === '.autonomous' || folded === 'autono~1';
}

/** Whether a path is inside a state folder, at any depth of a path as git writes it. */
export const isStatePath = (path: string): boolean => path.split('/').some(isStateName);

export function isGitName(name: string): boolean {
  const folded = foldedName(name);
  return folded === '.git' || folded === 'git~1';
}

/** A name that marks a file as an example of secrets is not secret. */
export function isSecretName(name: string): boolean {
  return /^\.env(?:rc$|$|\.(?!example$|sample$|template$))/.test(foldedName(name));
}

/** Characters that some file systems leave out of a name. */
const LEFT_OUT = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Folds names that some file system treats as equal: composed or not, in any case (by uppercase, since some file systems fold `ſ` to `s`), with
 * ignored characters, with an NTFS stream, with dots and spaces at the end.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(LEFT_OUT, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(/(?<=.):.*$/s, '')
    .replace(/[. ]+$/, '');
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

/** Whether a name is one entry of a folder, so that a path made with it leads into that folder. */
export function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) return false;
  return utf8.encode(name).length <= LONGEST_NAME;
}
