/** Translates a coach's utterance into the learner's language. */
import { ServiceFailure } from '@parley/domain';
import { z } from 'zod';
import { delimit, joinPrompts } from './context/delimit.ts';
import type { LanguageModel } from './language-model.ts';
import { leaksPrompt } from './safety/prompt-leak-detector.ts';
import { containsLink } from './safety/private-data.ts';
import { fillPrompt } from './prompts.ts';

const Translation = z
  .object({ translation: z.string() })
  .refine(({ translation }) => translation.trim() !== '', 'The translation is empty.');

const MAX_CHARS = 4_000;
/** Translations differ in length, but not by a whole essay, so this cannot be misused to generate other text. */
const MAX_GROWTH = 3;
const MIN_ROOM = 120;

/** `language` is a name in English or in the language itself: "German", "Deutsch". Throws a `ServiceFailure`. */
export async function translateUtterance(request: {
  model: LanguageModel;
  text: string;
  language: string;
  signal: AbortSignal;
}): Promise<string> {
  request.signal.throwIfAborted();
  const { value } = await request.model.structured({
    purpose: 'translate',
    name: 'translation',
    schema: Translation,
    instructions: fillPrompt('translate'),
    messages: [
      {
        role: 'learner',
        text: joinPrompts([
          delimit('language', [languageName(request.language)]),
          delimit('coach_said', [request.text.slice(0, MAX_CHARS)]),
        ]),
      },
    ],
    // In some scripts a character takes a token or two.
    maxOutputTokens: Math.min(4_000, 200 + 2 * request.text.length),
    signal: request.signal,
  });
  // Joiners are kept, because some scripts need them.
  const translation = value.translation
    .replace(/[*`]/g, '')
    .replace(/[<>]|[\p{Cc}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const isTooLong = translation.length > MIN_ROOM + MAX_GROWTH * request.text.length;
  const addsLink = containsLink(translation) && !containsLink(request.text);
  if (translation === '' || isTooLong || addsLink || leaksPrompt(translation))
    throw new ServiceFailure('coach', 'malformed');
  return translation;
}

/**
 * Allows letters of any script and the punctuation of "Chinese (Traditional)", and limits the number of words so that the name cannot
 * contain instructions.
 */
const languageName = (language: string): string =>
  language
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\s()'’-]/gu, '')
    .trim()
    .split(/\s+/)
    .slice(0, 4)
    .join(' ');
