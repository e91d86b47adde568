export { LANGUAGES, localizerFor } from './localizers.ts';
export { LANGUAGE_PARAMETER, pageLanguage, requestedLanguage, wantedLanguage } from './request-language.ts';
