/** Formats an amount of US dollars: with four decimals below a dollar, because calls of a model cost little. */
export function usd(amount: number): string {
  return `$${amount.toFixed(Math.abs(amount) < 1 ? 4 : 2)}`;
}
