/**
 * Estimates which words of an interrupted utterance were heard, from the share of the audio that was played (0 to 1). A partly heard word
 * is dropped.
 */
export function estimateHeardText(text: string, share: number): string {
  const trimmed = text.trim();
  const played = trimmed.slice(0, Math.round(trimmed.length * Math.min(1, Math.max(0, share))));
  const isBetweenWords = played.length === trimmed.length || /\s/.test(trimmed[played.length] ?? ' ');
  return (isBetweenWords ? played : played.replace(/\S*$/, '')).trim();
}
