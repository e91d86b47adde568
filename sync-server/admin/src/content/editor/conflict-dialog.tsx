/** Shown when another admin saved first: shows that admin's changes and merges both edits. */
import { t } from '@parley/i18n';
import type { ConflictResult } from '@parley/contract';
import type { ContentDocument } from '@parley/domain';
import { Button, Dialog, Trans } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { placeName } from '../../foundation/screen/place-name.ts';
import css from '../content.module.css';

const MAX_SHOWN = 200;
const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
};

export function ConflictDialog({
  conflict,
  onSettle,
}: {
  conflict: ConflictResult;
  onSettle: (document: ContentDocument) => void;
}): ReactElement {
  const { current, conflicts, theirChanges, merged } = conflict;
  const [theirs, setTheirs] = useState<ReadonlySet<number>>(new Set());
  const settle = (): void => {
    let document: unknown = merged;
    for (const index of theirs) {
      const place = conflicts[index];
      if (place !== undefined) document = replaceAt(document, place.path, place.theirs);
    }
    onSettle(document as ContentDocument);
  };
  return (
    <Dialog title={t('Someone else has saved this too')} isOpen onClose={settle}>
      <p>
        <Trans
          id="<0>{name}</0> saved while you were writing. What you wrote is still here."
          values={{ name: current.editedBy ?? t('Another admin') }}
          components={{ 0: <bdi /> }}
        />
      </p>
      {theirChanges.length > 0 && (
        <>
          <h3>{t('What they changed')}</h3>
          <ul className={css['changes']}>
            {theirChanges.map((path, index) => (
              <li key={index}>{placeName(path)}</li>
            ))}
          </ul>
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <h3>{t('What you both changed')}</h3>
          {conflicts.map(({ path, mine, theirs: other }, index) => (
            <fieldset key={index} className={css['choice']}>
              <legend>{placeName(path)}</legend>
              {[
                { label: t('Yours'), value: mine, isTheirs: false },
                { label: t('Theirs'), value: other, isTheirs: true },
              ].map(({ label, value, isTheirs }) => (
                <label key={label}>
                  <input
                    type="radio"
                    name={`conflict-${index}`}
                    checked={theirs.has(index) === isTheirs}
                    onChange={() => {
                      const next = new Set(theirs);
                      if (isTheirs) next.add(index);
                      else next.delete(index);
                      setTheirs(next);
                    }}
                  />
                  {label}: <bdi>{show(value)}</bdi>
                </label>
              ))}
            </fieldset>
          ))}
        </>
      )}
      <div className={css['buttons']}>
        <Button variant="primary" onPress={settle}>
          {t('Merge both versions')}
        </Button>
        <Button onPress={() => onSettle(current.document)}>{t('Use only theirs')}</Button>
      </div>
    </Dialog>
  );
}

/** List items are found by name, like in the path of a conflict. */
function replaceAt(value: unknown, [step, ...rest]: readonly (string | number)[], next: unknown): unknown {
  if (step === undefined) return next;
  if (Array.isArray(value)) {
    const at = value.findIndex((item) => Object.values(Object(item) as object).includes(step));
    if (at === -1) return next === null ? value : [...value, next];
    if (rest.length === 0 && next === null) return value.filter((_, index) => index !== at);
    return value.map((item: unknown, index) => (index === at ? replaceAt(item, rest, next) : item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [step]: replaceAt((value as Record<string, unknown>)[step], rest, next) };
}
