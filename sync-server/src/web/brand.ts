/** A school's logo and colour on the pages of its server. */
import { BRAND_STYLE_PATH } from '@parley/contract';
import { BRAND_COLOUR, brandColours, type SchoolIdentity } from '@parley/domain';
import { type Html, html } from './html.ts';

const LOGO_HEIGHT_PX = 32;
/** A logo as wide as a banner would leave no room for the name. */
const LOGO_MAX_WIDTH_PX = 160;

/**
 * The address contains everything on which it depends, so browsers may cache it for a year. Null for an invalid colour.
 */
export function brandStyle(hexDigits: string): string | null {
  const colour = `#${hexDigits}`;
  if (!BRAND_COLOUR.test(colour)) return null;
  const { light, dark } = brandColours(colour);
  return `:root{--brand:${light}}@media (prefers-color-scheme:dark){:root{--brand:${dark}}}\n`;
}

export const brandStyleLink = ({ colour }: SchoolIdentity): Html | null =>
  colour === null ? null : html`<link rel="stylesheet" href="${BRAND_STYLE_PATH}/${colour.slice(1)}.css" />`;

/** The logo, or a bar and a dot if there is none. The name is next to it. */
export function brandMark({ logo }: SchoolIdentity): Html {
  if (logo === null)
    return html`<svg width="18" height="24" viewBox="0 0 18 24" aria-hidden="true">
      <path d="M5 4v16M14 11.5v1" stroke-width="6" stroke-linecap="round" />
    </svg>`;
  const scale = Math.min(LOGO_HEIGHT_PX / logo.height, LOGO_MAX_WIDTH_PX / logo.width);
  const [width, height] = [logo.width, logo.height].map((pixels) => Math.max(1, Math.round(pixels * scale)));
  return html`<img class="logo" src="${logo.path}" width="${width ?? 1}" height="${height ?? 1}" alt="" />`;
}
