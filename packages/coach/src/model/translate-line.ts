/** A coach's line in the learner's own language. */
import { z } from 'zod';
import { fence, joinPrompts } from './fence.ts';
import { type LanguageModel, ModelFailure } from './language-model.ts';
import { leaksInstructions } from './leak-watch.ts';
import { holdsLink } from './private-data.ts';
import { fillPrompt } from './prompts.ts';

const Translation = z
  .object({ translation: z.string() })
  .refine(({ translation }) => translation.trim() !== '', 'The translation is empty.');

const MAX_LINE = 4_000;
/** Languages differ in length, but not like a line and an essay: this is no way to have something else written. */
const MAX_GROWTH = 3;
const MIN_ROOM = 120;

/** `language` is a name, in English or its own: "German", "Deutsch". Throws a `ModelFailure`. */
export async function translateLine(asked: {
  model: LanguageModel;
  text: string;
  language: string;
  signal: AbortSignal;
}): Promise<string> {
  asked.signal.throwIfAborted();
  const { value } = await asked.model.structured({
    purpose: 'translate',
    name: 'translation',
    schema: Translation,
    instructions: fillPrompt('translate'),
    messages: [
      {
        role: 'learner',
        text: joinPrompts([
          fence('language', [languageName(asked.language)]),
          fence('coach_said', [asked.text.slice(0, MAX_LINE)]),
        ]),
      },
    ],
    // A character of some scripts is a token or two.
    maxOutputTokens: Math.min(4_000, 200 + 2 * asked.text.length),
    signal: asked.signal,
  });
  // Joiners stay: some scripts cannot be written without them.
  const translation = value.translation
    .replace(/[*`]/g, '')
    .replace(/[<>]|[\p{Cc}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const isTooLong = translation.length > MIN_ROOM + MAX_GROWTH * asked.text.length;
  const bringsLink = holdsLink(translation) && !holdsLink(asked.text);
  if (translation === '' || isTooLong || bringsLink || leaksInstructions(translation))
    throw new ModelFailure('malformed');
  return translation;
}

/** Letters of any script, and what stands between them in "Chinese (Traditional)"; a sentence of orders is no name. */
const languageName = (language: string): string =>
  language
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\s()'’-]/gu, '')
    .trim()
    .split(/\s+/)
    .slice(0, 4)
    .join(' ');
