/** Decodes a text file that was saved by a spreadsheet program. */
import { formatLocale } from '@parley/i18n';

/** Excel saves CSV in the Windows code page, which depends on its language. */
const CODE_PAGE_BY_LANGUAGE: Readonly<Partial<Record<string, string>>> = {
  ar: 'windows-1256',
  ja: 'shift_jis',
  zh: 'gb18030',
};
const WESTERN_CODE_PAGE = 'windows-1252';

export function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [language = ''] = formatLocale().split('-');
    return new TextDecoder(CODE_PAGE_BY_LANGUAGE[language] ?? WESTERN_CODE_PAGE).decode(bytes);
  }
}
