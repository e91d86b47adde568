/**
 * The product's look with raw values of `packages/ui/src/tokens.css`, because mail clients do not support CSS
 * variables.
 */

import { brandColours, type SchoolIdentity } from '@parley/domain';

const FONT = "'Source Sans 3', 'Noto Sans', 'Segoe UI', Roboto, system-ui, -apple-system, Helvetica, Arial, sans-serif";
const SERIF = "Literata, 'Noto Serif', Georgia, 'Times New Roman', serif";
const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";

const light = {
  page: '#fbfaf7',
  surface: '#fbfaf7',
  sunken: '#f3f1ec',
  line: '#e5e2da',
  text: '#1c1a17',
  quiet: '#646056',
  accent: '#1c1a17',
  onAccent: '#fbfaf7',
  link: '#1c1a17',
};

const dark: typeof light = {
  page: '#16181c',
  surface: '#16181c',
  sunken: '#101114',
  line: '#2a2d33',
  text: '#eceae4',
  quiet: '#a9adb5',
  accent: '#eceae4',
  onAccent: '#16181c',
  link: '#eceae4',
};

/** Wide enough for a sentence, narrow enough for a preview pane. */
export const WIDTH_PX = 560;

const text = { margin: '0 0 16px', fontSize: '16px', lineHeight: '1.55', color: light.text };

export type MailStyles = ReturnType<typeof createStyles>;

/** Inline styles, which remain when a client removes the style sheet. Old clients do not know `start` and `end`. */
export function createStyles(direction: 'ltr' | 'rtl', { colour }: Pick<SchoolIdentity, 'colour'>) {
  const [start, end] = direction === 'ltr' ? (['left', 'right'] as const) : (['right', 'left'] as const);
  return {
    page: { margin: 0, padding: 0, width: '100%', backgroundColor: light.page, fontFamily: FONT },
    outer: { width: '100%', backgroundColor: light.page },
    outerCell: { padding: '32px 16px' },
    container: { width: '100%', maxWidth: `${WIDTH_PX}px`, textAlign: start },
    brand: {
      fontFamily: SERIF,
      padding: '0 0 20px',
      fontSize: '19px',
      fontWeight: 600,
      letterSpacing: '-0.01em',
      color: light.text,
    },
    card: {
      fontFamily: FONT,
      padding: '28px 0 12px',
      backgroundColor: light.surface,
      borderTop: `1px solid ${light.line}`,
    },
    title: {
      margin: '0 0 20px',
      fontFamily: SERIF,
      fontSize: '26px',
      lineHeight: '1.42',
      fontWeight: 400,
      color: light.text,
    },
    text,
    quiet: { ...text, fontSize: '14px', color: light.quiet },
    code: {
      padding: '20px 12px',
      backgroundColor: light.sunken,
      borderRadius: '6px',
      textAlign: 'center',
      fontFamily: MONO,
      fontSize: '34px',
      lineHeight: '1.2',
      fontWeight: 600,
      letterSpacing: '0.12em',
      color: light.text,
    },
    codeGap: { marginLeft: '0.45em' },
    spaced: { margin: '0 0 20px' },
    buttonCell: {
      backgroundColor: colour === null ? light.accent : brandColours(colour).light,
      borderRadius: '6px',
      textAlign: 'center',
    },
    button: {
      fontFamily: FONT,
      display: 'inline-block',
      padding: '13px 24px',
      fontSize: '16px',
      lineHeight: '1.25',
      fontWeight: 600,
      color: light.onAccent,
      textDecoration: 'none',
    },
    factName: {
      padding: direction === 'ltr' ? '10px 16px 10px 0' : '10px 0 10px 16px',
      fontSize: '14px',
      textAlign: start,
      color: light.quiet,
      borderTop: `1px solid ${light.line}`,
    },
    factValue: {
      padding: '10px 0',
      fontSize: '15px',
      fontWeight: 600,
      textAlign: end,
      color: light.text,
      borderTop: `1px solid ${light.line}`,
    },
    footer: { fontFamily: FONT, padding: '20px 0 0', fontSize: '13px', lineHeight: '1.55', color: light.quiet },
    link: { color: light.link, textDecoration: 'underline' },
    hidden: {
      display: 'none',
      overflow: 'hidden',
      maxHeight: 0,
      maxWidth: 0,
      opacity: 0,
      fontSize: '1px',
      lineHeight: '1px',
    },
  } as const;
}

/** Styles that only a style sheet can express: dark mode and narrow screens. */
export const styleSheet = ({ colour }: Pick<SchoolIdentity, 'colour'>): string => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: ${dark.page} !important; }
  .card { background-color: ${dark.surface} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.text} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .code { background-color: ${dark.sunken} !important; color: ${dark.text} !important; }
  .button-cell { background-color: ${colour === null ? dark.accent : brandColours(colour).dark} !important; }
  .button { color: ${dark.onAccent} !important; }
  .line { border-color: ${dark.line} !important; }
  .link { color: ${dark.link} !important; }
}
@media (max-width: 480px) {
  .outer-cell { padding: 20px 10px !important; }
  .code { font-size: 28px !important; }
}`;
