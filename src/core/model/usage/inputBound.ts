/** Computes an upper bound for the tokens of a prompt, from the request alone. */

/** The properties of a request that the bound depends on. */
export interface PromptShape {
  /** UTF-8 bytes of the whole JSON body, without the data of images. */
  readonly bytes: number;
  readonly messages: number;
  /** Content blocks of all messages and of the system prompt. */
  readonly blocks: number;
  readonly images: number;
  readonly tools: number;
  /** Tools that the provider defines and describes to the model itself. */
  readonly providerTools: number;
}

/** Instructions that the provider always adds: the tool-use prompt (documented at 300 to 800), thinking, a date. */
const ADDED_ALWAYS = 2_000;
/** Role markers and separators around a message, a block, a tool. */
const ADDED_PER_PART = 40;
/** Documented at 200 to 1,500 each. */
const ADDED_PER_PROVIDER_TOOL = 3_000;
/** The provider scales images down to at most about 4,800 tokens, whatever their bytes. */
const PER_IMAGE = 10_000;

/**
 * Every tokenizer in use works on bytes: each token of text represents at least one byte of it, so text never has more tokens than bytes. JSON only
 * lengthens text (escapes, keys, quotes). No tighter bound is safe: digits, rare scripts and random text come close to a token per byte. Each part
 * that the provider adds has a bound of its kind.
 */
export function inputUpperBound(shape: PromptShape): number {
  return (
    shape.bytes +
    ADDED_ALWAYS +
    ADDED_PER_PART * (shape.messages + shape.blocks + shape.tools) +
    ADDED_PER_PROVIDER_TOOL * shape.providerTools +
    PER_IMAGE * shape.images
  );
}

/** The bound from the provider's count, with a margin because the provider documents the count as an estimate. */
export function boundFromCount(tokens: number): number {
  return Math.ceil(tokens * 1.05) + 200;
}
