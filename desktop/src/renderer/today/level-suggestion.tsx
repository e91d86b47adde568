/** Suggests another level after consistent sessions. Keeping the current one is as easy as changing it. */
import { t } from '@parley/i18n';
import type { TodayView } from '@parley/contract';
import { ENGLISH_LEVELS, type EnglishLevel } from '@parley/domain';
import { Button, MutedText, Row } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { LEVEL_NAMES } from '../foundation/sentences/level-names.ts';
import css from './today.module.css';

const isHarder = (from: EnglishLevel, to: EnglishLevel): boolean =>
  ENGLISH_LEVELS.indexOf(to) > ENGLISH_LEVELS.indexOf(from);

export function LevelSuggestion({
  suggestion,
}: {
  suggestion: NonNullable<TodayView['levelSuggestion']>;
}): ReactElement {
  const save = useSaveSettings();
  const { from, to, newestSessionId } = suggestion;
  const name = LEVEL_NAMES[to];
  const answer = (level: EnglishLevel): void => {
    if (level !== from) save.profile({ englishLevel: level });
    save.device({ levelAnsweredAt: newestSessionId });
  };
  return (
    <section className={css['section']} aria-labelledby="level-suggestion">
      <h2 id="level-suggestion">{isHarder(from, to) ? t('Ready for more?') : t('Would an easier level help?')}</h2>
      <MutedText>
        {isHarder(from, to)
          ? t('Your last three conversations scored 85 or more. The next level is {name}.', { name })
          : t('Your last three conversations scored under 50. The level below is {name}.', { name })}
      </MutedText>
      <Row>
        <Button onPress={() => answer(to)}>{t('Switch to {name}', { name })}</Button>
        <Button variant="quiet" onPress={() => answer(from)}>
          {t('Keep {name}', { name: LEVEL_NAMES[from] })}
        </Button>
      </Row>
      {save.error !== null && <ErrorBanner error={save.error} />}
    </section>
  );
}
