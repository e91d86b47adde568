/** A school's identity on its pages and in its e-mails: a name, a logo and a colour. */

export interface SchoolLogo {
  /** The path of a PNG picture on the school's server. It changes with the picture. */
  path: string;
  /** In pixels of the picture. */
  width: number;
  height: number;
}

export interface SchoolIdentity {
  name: string;
  /** Where learners can reach a person. */
  contactEmail: string | null;
  /** As the admin chose it; `brandColours` computes the shades that are shown. */
  colour: string | null;
  logo: SchoolLogo | null;
}

/** The identity that a server shows until an admin has named the school. */
export const UNNAMED_SCHOOL: SchoolIdentity = { name: 'Parley', contactEmail: null, colour: null, logo: null };

/** Six hexadecimal digits in lower case, such as `#2f49c9`. */
export const BRAND_COLOUR = /^#[0-9a-f]{6}$/;

/** `--page-bg` of packages/ui/src/tokens.css, on which a school's colour appears in each theme. */
const PAGE_COLOURS = { light: '#fbfaf7', dark: '#16181c' } as const;
/** Text and buttons in the colour need this contrast with the page, and the words on such a button with the button (WCAG 2.2, 1.4.3 AA). */
const MIN_CONTRAST = 4.5;
const STEPS = 255;

export interface BrandColours {
  light: string;
  dark: string;
}

type Rgb = readonly [red: number, green: number, blue: number];

/**
 * The chosen colour as it is shown in each theme. A colour that is too pale for the light page is darkened, and one
 * that is too dark for the dark page is lightened, as little as necessary. Words on the colour have the colour of the
 * page.
 */
export const brandColours = (chosen: string): BrandColours => ({
  light: readableShade(chosen, { page: PAGE_COLOURS.light, towards: 0 }),
  dark: readableShade(chosen, { page: PAGE_COLOURS.dark, towards: 255 }),
});

function readableShade(chosen: string, { page, towards }: { page: string; towards: 0 | 255 }): string {
  const colour = toRgb(chosen);
  const mix = (step: number): string =>
    toHex(colour.map((channel) => Math.round(channel + ((towards - channel) * step) / STEPS)));
  const found = Array.from({ length: STEPS }, (_, step) => mix(step)).find(
    (shade) => contrastOf(shade, page) >= MIN_CONTRAST,
  );
  return found ?? mix(STEPS);
}

/** From 1 to 21, as WCAG 2.2 defines the contrast ratio. */
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of WCAG 2.2. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = toRgb(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const toRgb = (colour: string): Rgb => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

const toHex = (channels: readonly number[]): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
