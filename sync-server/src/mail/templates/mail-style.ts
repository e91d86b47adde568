/** The product's look as mail can have it: raw values of `packages/ui/src/tokens.css`, since no mail client knows variables. */

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";

const light = {
  page: '#f7f7f5',
  surface: '#ffffff',
  sunken: '#efeeeb',
  line: '#dfddd8',
  text: '#1c1b19',
  quiet: '#5b5852',
  accent: '#4353c9',
  onAccent: '#ffffff',
  link: '#3643a6',
};

const dark: typeof light = {
  page: '#121211',
  surface: '#1c1b19',
  sunken: '#262522',
  line: '#383632',
  text: '#f1f0ed',
  quiet: '#b5b2ab',
  accent: '#8491ea',
  onAccent: '#14172b',
  link: '#a3adf0',
};

/** Wide enough for a sentence, narrow enough for a preview pane. */
export const WIDTH_PX = 560;

const text = { margin: '0 0 16px', fontSize: '16px', lineHeight: '1.55', color: light.text };

/** On the elements themselves: what a client keeps when it throws the style sheet away. */
export const styles = {
  page: { margin: 0, padding: 0, width: '100%', backgroundColor: light.page, fontFamily: FONT },
  outer: { width: '100%', backgroundColor: light.page },
  outerCell: { padding: '32px 16px' },
  container: { width: '100%', maxWidth: `${WIDTH_PX}px`, textAlign: 'left' },
  brand: {
    fontFamily: FONT,
    padding: '0 0 20px',
    fontSize: '18px',
    fontWeight: 700,
    letterSpacing: '-0.01em',
    color: light.text,
  },
  card: {
    fontFamily: FONT,
    padding: '32px 32px 16px',
    backgroundColor: light.surface,
    border: `1px solid ${light.line}`,
    borderRadius: '14px',
  },
  title: { margin: '0 0 20px', fontSize: '24px', lineHeight: '1.25', fontWeight: 650, color: light.text },
  text,
  quiet: { ...text, fontSize: '14px', color: light.quiet },
  code: {
    padding: '20px 12px',
    backgroundColor: light.sunken,
    borderRadius: '8px',
    textAlign: 'center',
    fontFamily: MONO,
    fontSize: '34px',
    lineHeight: '1.2',
    fontWeight: 700,
    letterSpacing: '0.12em',
    color: light.text,
  },
  codeGap: { marginLeft: '0.45em' },
  spaced: { margin: '0 0 20px' },
  buttonCell: { backgroundColor: light.accent, borderRadius: '8px', textAlign: 'center' },
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
  factName: { padding: '10px 16px 10px 0', fontSize: '14px', color: light.quiet, borderTop: `1px solid ${light.line}` },
  factValue: {
    padding: '10px 0',
    fontSize: '15px',
    fontWeight: 600,
    textAlign: 'right',
    color: light.text,
    borderTop: `1px solid ${light.line}`,
  },
  footer: { fontFamily: FONT, padding: '20px 4px 0', fontSize: '13px', lineHeight: '1.55', color: light.quiet },
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

/** What only a style sheet can say: the dark, and narrow screens. */
export const STYLE_SHEET: string = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: ${dark.page} !important; }
  .card { background-color: ${dark.surface} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.text} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .code { background-color: ${dark.sunken} !important; color: ${dark.text} !important; }
  .button-cell { background-color: ${dark.accent} !important; }
  .button { color: ${dark.onAccent} !important; }
  .line { border-color: ${dark.line} !important; }
  .link { color: ${dark.link} !important; }
}
@media (max-width: 480px) {
  .outer-cell { padding: 20px 10px !important; }
  .card { padding: 24px 20px 8px !important; }
  .code { font-size: 28px !important; }
}`;
