/** What was heard of words that were cut off: by their share of the sound, and without the word that was begun. `share`: 0 to 1. */
export function wordsHeard(text: string, share: number): string {
  const whole = text.trim();
  const cut = whole.slice(0, Math.round(whole.length * Math.min(1, Math.max(0, share))));
  const isBetweenWords = cut.length === whole.length || /\s/.test(whole[cut.length] ?? ' ');
  return (isBetweenWords ? cut : cut.replace(/\S*$/, '')).trim();
}
