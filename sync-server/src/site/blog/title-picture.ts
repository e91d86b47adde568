/** Lays out the picture of a post that has no cover: its title and the name of the school. */
import { html } from '../../web/html.ts';

const MAX_LINES = 4;
/** A line of capitals is wider, but still fits. */
const LINE_CHARACTERS = 24;
const LINE_HEIGHT = 84;
const FIRST_LINE = 150;
/** The font of titles has no other letters. */
const DRAWABLE = /^[\u0020-\u007e\u00a0-\u00ff–—‘’“”…•€]+$/;

/** As SVG of 1200 by 630 pixels; null when the font lacks a letter of the title. */
export function titlePicture(title: string, school: string): string | null {
  if (!DRAWABLE.test(title)) return null;
  const lines = wrapTitle(title).map(
    (line, index) =>
      html`<text x="80" y="${FIRST_LINE + index * LINE_HEIGHT}" font-family="Literata" font-size="68" fill="#1d1f24"
        >${line}</text
      >`,
  );
  const name = DRAWABLE.test(school)
    ? html`<text x="124" y="566" font-family="Literata" font-size="36" fill="#5a5f69">${school}</text>`
    : null;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="#fbfaf7" />
    <path d="M92 526v44" stroke="#2f49c9" stroke-width="14" stroke-linecap="round" />
    ${lines}${name}
  </svg>`.text;
}

function wrapTitle(title: string): string[] {
  const lines: string[] = [];
  for (const word of title.trim().split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= LINE_CHARACTERS) lines[lines.length - 1] = longer;
    else lines.push(word.length <= LINE_CHARACTERS ? word : `${word.slice(0, LINE_CHARACTERS - 1)}…`);
  }
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `${(lines[MAX_LINES - 1] ?? '').slice(0, LINE_CHARACTERS - 1)}…`];
}
