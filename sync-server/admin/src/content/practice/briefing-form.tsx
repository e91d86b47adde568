/** What learners read before they begin, and the objectives. */
import { t } from '@parley/i18n';
import { CoachId, ENGLISH_LEVELS, explanationText, ObjectiveId } from '@parley/domain';
import { Button } from '@parley/ui';
import type { ReactElement } from 'react';
import { LEVEL_NAMES } from '../../foundation/screen/format.ts';
import { Choice, Field, findingsAt, Text } from '../fields.tsx';
import type { FormProps } from '../forms/form-props.ts';
import { useSet } from '../forms/use-set.ts';
import { PictureField } from '../picture-field.tsx';
import { AvailabilityChoice } from '../forms/availability-choice.tsx';
import { useCoaches } from './use-coaches.ts';
import css from '../content.module.css';

const COVER_SIZE = { width: 640, height: 400 };
const MAX_OBJECTIVES = 12;
const MAX_WORDS = 12;

export function BriefingForm({ document, findings, onChange }: FormProps<'practice'>): ReactElement {
  const set = useSet(document, onChange);
  const at = (...path: (string | number)[]) => findingsAt(findings, path);
  const coaches = useCoaches();
  const { objectives, words } = document;
  const setObjective = (index: number, change: Partial<(typeof objectives)[number]>): void =>
    set({
      objectives: objectives.map((objective, other) => (other === index ? { ...objective, ...change } : objective)),
    });
  return (
    <div className={css['form']}>
      <Text label={t('Title')} value={document.title} findings={at('title')} onChange={(title) => set({ title })} />
      <div className={css['columns']}>
        <Text
          label={t('Category')}
          value={document.category}
          findings={at('category')}
          onChange={(category) => set({ category })}
        />
        <Choice
          label={t('Level')}
          value={document.level}
          options={ENGLISH_LEVELS.map((value) => ({ value, label: LEVEL_NAMES[value] }))}
          onChange={(level) => set({ level })}
        />
        <Choice
          label={t('Coach')}
          value={document.agentId ?? ''}
          options={[{ value: '', label: t('Choose…') }, ...coaches]}
          findings={at('agentId')}
          onChange={(id) => set({ agentId: id === '' ? null : CoachId.parse(id) })}
        />
        <Field label={t('Minutes')} findings={at('minutes')}>
          {(props) => (
            <input
              {...props}
              type="number"
              min={1}
              max={60}
              value={document.minutes}
              onChange={({ target }) =>
                set({ minutes: Math.min(60, Math.max(1, Math.round(target.valueAsNumber) || 1)) })
              }
            />
          )}
        </Field>
        <AvailabilityChoice value={document.availability} onChange={(availability) => set({ availability })} />
      </div>
      <Text
        label={t('Summary')}
        description={t('One sentence, for the card of the practice.')}
        value={document.summary}
        findings={at('summary')}
        onChange={(summary) => set({ summary })}
      />
      <Text
        label={t('Scenario')}
        description={t('What has happened, and who the coach is. {coach} becomes the coach’s name.', {
          coach: '{coach}',
        })}
        value={document.scenario}
        rows={3}
        findings={at('scenario')}
        onChange={(scenario) => set({ scenario })}
      />
      <Text
        label={t('What the learner has to do')}
        value={document.description}
        rows={3}
        findings={at('description')}
        onChange={(description) => set({ description })}
      />
      <Text
        label={t('Who the learner is')}
        value={document.role}
        rows={2}
        findings={at('role')}
        onChange={(role) => set({ role })}
      />
      <PictureField
        label={t('Cover')}
        description={t('Learners see it on the card of the practice. It’s made small, so that it works offline.')}
        findings={at('cover')}
        value={document.cover}
        size={COVER_SIZE}
        onChange={(cover) => set({ cover })}
      />
      <section className={css['part']} aria-label={t('Objectives')}>
        <h2>{t('Objectives')}</h2>
        {at('objectives').map((finding, index) => (
          <p key={index}>{explanationText(finding, t)}</p>
        ))}
        {objectives.map((objective, index) => (
          <div key={objective.objectiveId} className={css['columns']}>
            <Text
              label={t('Objective {number}', { number: index + 1 })}
              value={objective.description}
              findings={[...at('objectives', index), ...at('objectives', index, 'description')]}
              onChange={(description) => setObjective(index, { description })}
            />
            <Text
              label={t('Short name')}
              value={objective.key}
              findings={at('objectives', index, 'key')}
              onChange={(key) => setObjective(index, { key })}
            />
            <div>
              <Button
                variant="quiet"
                onPress={() => set({ objectives: objectives.filter((_, other) => other !== index) })}
              >
                {t('Remove objective {number}', { number: index + 1 })}
              </Button>
            </div>
          </div>
        ))}
        <div>
          <Button
            isDisabled={objectives.length >= MAX_OBJECTIVES}
            onPress={() => {
              const objectiveId = ObjectiveId.parse(crypto.randomUUID());
              const key = `objective-${objectives.length + 1}`;
              set({ objectives: [...objectives, { objectiveId, key, description: '', needs: null }] });
            }}
          >
            {t('Add an objective')}
          </Button>
        </div>
      </section>
      <section className={css['part']} aria-label={t('Useful words')}>
        <h2>{t('Useful words')}</h2>
        {words.map(({ word, meaning }, index) => {
          const setWord = (change: Partial<(typeof words)[number]>): void =>
            set({ words: words.map((each, other) => (other === index ? { ...each, ...change } : each)) });
          return (
            <div key={index} className={css['columns']}>
              <Text
                label={t('Word {number}', { number: index + 1 })}
                value={word}
                findings={[...at('words', index), ...at('words', index, 'word')]}
                onChange={(next) => setWord({ word: next })}
              />
              <Text
                label={t('Meaning')}
                value={meaning}
                findings={at('words', index, 'meaning')}
                onChange={(next) => setWord({ meaning: next })}
              />
              <div>
                <Button variant="quiet" onPress={() => set({ words: words.filter((_, other) => other !== index) })}>
                  {t('Remove word {number}', { number: index + 1 })}
                </Button>
              </div>
            </div>
          );
        })}
        <div>
          <Button
            isDisabled={words.length >= MAX_WORDS}
            onPress={() => set({ words: [...words, { word: '', meaning: '' }] })}
          >
            {t('Add a word')}
          </Button>
        </div>
      </section>
    </div>
  );
}
