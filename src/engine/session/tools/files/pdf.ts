/** Pages of a PDF as images. pdftoppm of poppler makes them, in the sandbox of the session's commands. */

import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { BetaImageBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { shellQuote } from '../../../../core/text/shellQuote.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { imageBlock, imageType, MAX_IMAGE_BYTES } from './image.ts';

/** Pages of one call. */
export const MAX_PDF_PAGES = 5;
/** Pixels of the longer side: more are scaled down by the model's server. */
const PIXELS = 1_500;
const PATIENCE_MS = 60_000;
const NOT_INSTALLED = 127;
const MAX_DETAIL = 500;

export const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-';

/** Returns a line of text and an image per page. Throws ToolError if the pages cannot be made. `path`: as the model wrote it. */
export async function pdfPages(
  path: string,
  { first, count }: { readonly first: number; readonly count: number },
  context: Pick<ToolContext, 'commands' | 'scratchFile' | 'callId' | 'signal' | 'msLeft'>,
): Promise<ToolResult> {
  const folder = `pdf-${context.callId.replaceAll(/\W/g, '')}`;
  const last = first + Math.min(count, MAX_PDF_PAGES) - 1;
  const { exitCode, ended, output } = await context.commands.run(script(inShell(path, context), folder, first, last), {
    timeoutMs: Math.max(1, Math.min(PATIENCE_MS, context.msLeft())),
    signal: context.signal,
  });
  if (exitCode === NOT_INSTALLED) {
    throw new ToolError(
      `read: ${path} is a PDF, and its pages are shown only if pdftoppm is installed (package poppler-utils).`,
    );
  }
  if (exitCode !== 0 || ended !== null) {
    const why = output.trim().slice(-MAX_DETAIL);
    throw new ToolError(
      `read: the pages of ${path} cannot be shown: ${why === '' ? (ended ?? 'pdftoppm failed') : why}`,
    );
  }
  const total = Number(/^pages (\d+)$/m.exec(output)?.[1] ?? 0);
  if (first > total) throw new ToolError(`read: offset ${first} is beyond the end: the PDF has ${total} pages`);
  const shown = Math.min(last, total);
  const rest = shown < total ? `; offset ${shown + 1} continues` : '';
  const head = `[pages ${first} to ${shown} of ${total}${rest}]`;
  const images: BetaImageBlockParam[] = [];
  for (let page = first; page <= shown; page++) images.push(await imageOf(`${folder}/${page}.png`, page, context));
  return [{ type: 'text', text: head }, ...images];
}

async function imageOf(name: string, page: number, { scratchFile }: Pick<ToolContext, 'scratchFile'>) {
  const file = scratchFile(`$TMPDIR/${name}`);
  const bytes = (await file?.files.bytes(file.path, { maxBytes: MAX_IMAGE_BYTES, hidden: () => false })) ?? null;
  const type = bytes === null ? null : imageType(bytes);
  if (bytes !== null && type !== null) return imageBlock(type, bytes);
  throw new ToolError(`read: page ${page} has no image of at most ${MAX_IMAGE_BYTES} bytes: read the other pages`);
}

/** Prints `pages N`, and makes N.png for each page from `first` to `last` that exists. */
function script(file: string, folder: string, first: number, last: number): string {
  return `command -v pdftoppm >/dev/null && command -v pdfinfo >/dev/null || exit ${NOT_INSTALLED}
info=$(pdfinfo ${file} 2>&1) || { printf '%s\\n' "$info"; exit 1; }
pages=$(printf '%s\\n' "$info" | sed -n 's/^Pages: *//p')
echo "pages $pages"
mkdir -p "$TMPDIR/${folder}"
page=${first}
while [ "$page" -le ${last} ] && [ "$page" -le "$pages" ]; do
  pdftoppm -png -singlefile -scale-to ${PIXELS} -f "$page" -l "$page" ${file} "$TMPDIR/${folder}/$page" || exit 1
  page=$((page + 1))
done`;
}

/** The file as a word of a shell command. */
function inShell(path: string, { scratchFile }: Pick<ToolContext, 'scratchFile'>): string {
  const scratch = scratchFile(path);
  if (scratch !== null) return `"$TMPDIR"/${shellQuote(scratch.path)}`;
  return shellQuote(path.startsWith('/') ? path : `./${path}`);
}
