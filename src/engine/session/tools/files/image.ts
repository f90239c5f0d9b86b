/** Images as a model takes them. */
import type { BetaImageBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';

/** An image is at most 5 MB in base64. */
export const MAX_IMAGE_BYTES = 3.75 * 1024 * 1024;

type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The type of an image by its first bytes, whatever its name; null for any other format. */
export function imageType(bytes: Uint8Array): MediaType | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : null;
}

export function imageBlock(media_type: MediaType, bytes: Uint8Array): BetaImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type, data: Buffer.from(bytes).toString('base64') } };
}
