/** The tool `read`: returns lines of a file, or its images. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { cutText } from '../../../../core/text/cutText.ts';
import { hiddenNames } from '../confine.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool.ts';
import { imageBlock, imageType, MAX_IMAGE_BYTES } from './image.ts';
import { linesOf, numbered } from './numbered.ts';
import { outline } from './outline.ts';
import { isPdf, MAX_PDF_PAGES, pdfPages } from './pdf.ts';

/** A larger file is shown in parts: what was read once is paid for again with each request. */
const WHOLE_BYTES = 24 * 1024;
/** The largest file whose lines are counted. */
const MAX_BYTES = 16 * 1024 * 1024;
const PART_CHARACTERS = 16 * 1024;
const MAX_LINE = 2_000;
const OUTLINE_ENTRIES = 200;
/** Shown of a large file without an outline. */
const HEAD_LINES = 200;
/** Number of leading bytes that are searched for bytes which no text contains. */
const SNIFFED = 8_000;

const UNCHANGED = '[unchanged since your last read: the result above still holds]';

export const read = defineTool({
  name: 'read',
  description:
    'Read a text file with line numbers, or see an image (png, jpeg, gif, webp) or the pages of a PDF. A file over 24 kB gives its outline: then read parts by offset and limit.',
  input: z.object({
    file_path: z.string(),
    offset: z.int().min(1).optional().describe('First line, or page of a PDF, from 1'),
    limit: z.int().min(1).optional().describe(`Number of lines, or of pages (at most ${MAX_PDF_PAGES})`),
  }),
  live: ({ file_path }) => `read ${file_path}`,
  async run({ file_path, offset, limit }, context) {
    const { project, earlier } = context;
    const hidden = hiddenNames(project);
    const { files, path } = context.scratchFile(file_path) ?? { files: context.files, path: file_path };
    const bytes = await files.bytes(path, { maxBytes: MAX_BYTES, hidden });
    if (bytes === null) return partOfHuge({ files, project }, path, offset, limit);
    const type = imageType(bytes);
    if (type !== null) return image(file_path, type, bytes);
    if (isPdf(bytes)) return pdfPages(file_path, { first: offset ?? 1, count: limit ?? MAX_PDF_PAGES }, context);
    refuseBinary(file_path, bytes);
    const text = shown(file_path, bytes, offset, limit);
    const before = earlier('read', { file_path, offset, limit }).find((one) => one !== UNCHANGED);
    return before === text ? UNCHANGED : text;
  },
});

function image(path: string, type: NonNullable<ReturnType<typeof imageType>>, bytes: Uint8Array): ToolResult {
  if (bytes.length <= MAX_IMAGE_BYTES) return [imageBlock(type, bytes)];
  throw new ToolError(
    `read: ${path} is an image of ${bytes.length} bytes, and at most ${MAX_IMAGE_BYTES} are shown: make a smaller copy first`,
  );
}

function refuseBinary(path: string, bytes: Uint8Array): void {
  if (bytes.subarray(0, SNIFFED).includes(0)) {
    throw new ToolError(`read: ${path} is a binary file of ${bytes.length} bytes`);
  }
}

function shown(path: string, bytes: Uint8Array, offset: number | undefined, limit: number | undefined): string {
  const text = Buffer.from(bytes).toString('utf8');
  const lines = linesOf(text);
  if (lines.length === 0) return '(empty)';
  const notes = lineEndNotes(text);
  if (offset !== undefined || limit !== undefined) return part(lines, offset ?? 1, limit ?? lines.length, notes);
  if (bytes.length <= WHOLE_BYTES) return withNotes(numbered(lines, 1), notes);
  return overview(path, bytes.length, lines, notes);
}

/** The lines are shown without their ends. */
function lineEndNotes(text: string): readonly string[] {
  if (!text.includes('\r\n')) return [];
  return [`${/(?<!\r)\n/.test(text) ? 'some lines' : 'lines'} end in CRLF; edit and write keep that`];
}

function withNotes(text: string, notes: readonly string[]): string {
  return notes.length === 0 ? text : `${text}\n[${notes.join('; ')}]`;
}

/** Lines from `first` on, as many as fit. */
function part(lines: readonly string[], first: number, limit: number, notes: readonly string[]): string {
  if (first > lines.length) {
    throw new ToolError(`read: offset ${first} is beyond the end: the file has ${lines.length} lines`);
  }
  const asked = lines.slice(first - 1, first - 1 + limit).map(shortened);
  const given = fitting(asked);
  const next = first + given.length;
  const more = lines.length - next + 1;
  const rest = more === 0 ? [] : [`${more} more ${more === 1 ? 'line' : 'lines'}; offset ${next} continues`];
  return withNotes(numbered(given, first), [...notes, ...rest]);
}

function fitting(lines: readonly string[]): readonly string[] {
  let left = PART_CHARACTERS;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return end < 0 ? lines : lines.slice(0, Math.max(1, end));
}

const shortened = (line: string): string => cutText(line, MAX_LINE);

/** The outline, or else the first lines. */
function overview(path: string, size: number, lines: readonly string[], notes: readonly string[]): string {
  const entries = outline(path, lines);
  const head = `[${path} has ${lines.length} lines and ${size} bytes, too many to show at once.`;
  if (entries.length === 0) {
    return `${head} Its first lines follow.]\n${part(lines, 1, HEAD_LINES, notes)}`;
  }
  const listed = entries.slice(0, OUTLINE_ENTRIES).map(({ line, text }) => numbered([text], line));
  const more = entries.length - listed.length;
  const rest = more > 0 ? [`[… ${more} more entries]`] : [];
  return withNotes(
    [`${head} Its outline follows; read parts by offset and limit.]`, ...listed, ...rest].join('\n'),
    notes,
  );
}

/** Without a count of its lines: the file is not read to its end. */
async function partOfHuge(
  { files, project }: Pick<ToolContext, 'files' | 'project'>,
  path: string,
  offset: number | undefined,
  limit = HEAD_LINES,
): Promise<string> {
  const first = offset ?? 1;
  const bounds = { maxBytes: MAX_BYTES, lines: [first, first + limit - 1] as const, hidden: hiddenNames(project) };
  const text = await files.read(path, bounds);
  const asked = linesOf(text).map(shortened);
  if (asked.length === 0) throw new ToolError(`read: offset ${first} is beyond the end of ${path}`);
  const given = fitting(asked);
  const more = `${path} has more than ${MAX_BYTES} bytes; offset ${first + given.length} continues`;
  return withNotes(numbered(given, first), [...lineEndNotes(text), more]);
}
