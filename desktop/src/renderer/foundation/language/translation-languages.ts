/**
 * The languages for translation: the name that the model receives, and the tag of the result, sorted by their own
 * names.
 */
export const TRANSLATION_LANGUAGES: readonly { name: string; tag: string; ownName: string }[] = [
  { name: 'Bahasa Indonesia', tag: 'id', ownName: 'Bahasa Indonesia' },
  { name: 'German', tag: 'de', ownName: 'Deutsch' },
  { name: 'Spanish', tag: 'es', ownName: 'Español' },
  { name: 'French', tag: 'fr', ownName: 'Français' },
  { name: 'Italian', tag: 'it', ownName: 'Italiano' },
  { name: 'Polish', tag: 'pl', ownName: 'Polski' },
  { name: 'Brazilian Portuguese', tag: 'pt-BR', ownName: 'Português (Brasil)' },
  { name: 'Vietnamese', tag: 'vi', ownName: 'Tiếng Việt' },
  { name: 'Turkish', tag: 'tr', ownName: 'Türkçe' },
  { name: 'Ukrainian', tag: 'uk', ownName: 'Українська' },
  { name: 'Russian', tag: 'ru', ownName: 'Русский' },
  { name: 'Arabic', tag: 'ar', ownName: 'العربية' },
  { name: 'Hindi', tag: 'hi', ownName: 'हिन्दी' },
  { name: 'Thai', tag: 'th', ownName: 'ไทย' },
  { name: 'Korean', tag: 'ko', ownName: '한국어' },
  { name: 'Japanese', tag: 'ja', ownName: '日本語' },
  { name: 'Simplified Chinese', tag: 'zh-Hans', ownName: '简体中文' },
  { name: 'Traditional Chinese', tag: 'zh-Hant', ownName: '繁體中文' },
];

/** Undefined for a language that another version of Parley offered. */
export const translationTag = (name: string): string | undefined =>
  TRANSLATION_LANGUAGES.find((language) => language.name === name)?.tag;
