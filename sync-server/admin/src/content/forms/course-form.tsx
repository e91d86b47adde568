/** A course: its sections in order, and the items in each. Everything can be moved with the keyboard. */
import { t } from '@parley/i18n';
import { type CourseItem, type CourseSection, explanationText } from '@parley/domain';
import { Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { client } from '../../foundation/api/client.ts';
import { Choice, Field, findingsAt, Text } from '../fields.tsx';
import { KINDS } from '../kinds.ts';
import type { FormProps } from './form-props.ts';
import { nameChoices } from './name-choices.ts';
import { useSet } from './use-set.ts';
import css from '../content.module.css';

const MAX_CHOICES = 500;

function move<Item>(list: readonly Item[], from: number, by: number): Item[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(from + by, 0, item);
  return next;
}

const useChoices = (kind: CourseItem['kind']) =>
  useQuery({
    queryKey: ['content', kind, 'choices'],
    queryFn: () => client.content.list({ kind, pageSize: MAX_CHOICES }),
    select: ({ rows }) => nameChoices(kind, rows),
  }).data;

export function CourseForm({ document, findings, onChange }: FormProps<'course'>): ReactElement {
  const set = useSet(document, onChange);
  const { sections } = document;
  const practices = useChoices('practice');
  const videos = useChoices('video');
  const choices = [...(practices ?? []), ...(videos ?? [])];
  const missingName = practices === undefined || videos === undefined ? '…' : t('No longer available');
  const setSection = (index: number, change: Partial<CourseSection>): void =>
    set({ sections: sections.map((section, at) => (at === index ? { ...section, ...change } : section)) });
  return (
    <div className={css['form']}>
      <Text
        label={t('Title')}
        value={document.title}
        findings={findingsAt(findings, ['title'])}
        onChange={(title) => set({ title })}
      />
      <Text
        label={t('What learners will be able to do')}
        value={document.description}
        rows={3}
        findings={findingsAt(findings, ['description'])}
        onChange={(description) => set({ description })}
      />
      <Choice
        label={t('Learners see it as')}
        value={document.status}
        options={[
          { value: 'available', label: t('Available') },
          { value: 'coming_soon', label: t('Coming soon') },
        ]}
        onChange={(status) => set({ status })}
      />
      {sections.map((section, index) => (
        <section
          key={section.sectionId}
          className={css['part']}
          aria-label={t('Section {number}', { number: index + 1 })}
        >
          <h2>{t('Section {number}', { number: index + 1 })}</h2>
          <Text
            label={t('Title')}
            value={section.title}
            findings={[
              ...findingsAt(findings, ['sections', index]),
              ...findingsAt(findings, ['sections', index, 'title']),
            ]}
            onChange={(title) => setSection(index, { title })}
          />
          <Text
            label={t('Description')}
            value={section.description}
            rows={2}
            findings={findingsAt(findings, ['sections', index, 'description'])}
            onChange={(description) => setSection(index, { description })}
          />
          <ol className={css['items']}>
            {section.items.map((item, at) => {
              const { name = missingName, detail = KINDS[item.kind].one } =
                choices.find(({ itemId }) => itemId === item.itemId) ?? {};
              const setItems = (items: CourseItem[]): void => setSection(index, { items });
              return (
                <li key={`${item.kind}${item.itemId}`}>
                  <span>
                    {at + 1}. <bdi>{name}</bdi> ({detail})
                    {findingsAt(findings, ['sections', index, 'items', at]).map((finding) => (
                      <small key={finding.code}> {explanationText(finding, t)}</small>
                    ))}
                  </span>
                  <MoveButtons
                    name={name}
                    at={at}
                    count={section.items.length}
                    onMove={(by) => setItems(move(section.items, at, by))}
                  />
                  <Button variant="quiet" onPress={() => setItems(section.items.filter((_, other) => other !== at))}>
                    {t('Remove')}
                  </Button>
                </li>
              );
            })}
          </ol>
          <Field label={t('Add a practice or a video')} findings={findingsAt(findings, ['sections', index, 'items'])}>
            {(props) => (
              <select
                {...props}
                value=""
                onChange={({ target }) => {
                  const chosen = choices.find(({ itemId }) => itemId === target.value);
                  if (chosen !== undefined)
                    setSection(index, { items: [...section.items, { kind: chosen.kind, itemId: chosen.itemId }] });
                }}
              >
                <option value="">{t('Choose…')}</option>
                {choices
                  .filter(({ itemId }) => section.items.every((item) => item.itemId !== itemId))
                  .map(({ itemId, name, detail }) => (
                    <option key={itemId} value={itemId}>
                      {name} ({detail})
                    </option>
                  ))}
              </select>
            )}
          </Field>
          <div className={css['buttons']}>
            <MoveButtons
              name={t('section {number}', { number: index + 1 })}
              at={index}
              count={sections.length}
              onMove={(by) => set({ sections: move(sections, index, by) })}
            />
            <Button variant="quiet" onPress={() => set({ sections: sections.filter((_, at) => at !== index) })}>
              {t('Remove section')}
            </Button>
          </div>
        </section>
      ))}
      <div>
        <Button
          onPress={() =>
            set({ sections: [...sections, { sectionId: crypto.randomUUID(), title: '', description: '', items: [] }] })
          }
        >
          {t('Add a section')}
        </Button>
      </div>
    </div>
  );
}

interface MoveButtonsProps {
  name: string;
  at: number;
  count: number;
  onMove: (by: 1 | -1) => void;
}

/**
 * A moved row keeps the focus, so that it can be moved again. At the end of its range, its button therefore stays
 * focusable.
 */
function MoveButtons({ name, at, count, onMove }: MoveButtonsProps): ReactElement {
  const buttons = useRef<HTMLSpanElement>(null);
  const moved = useRef<1 | -1 | null>(null);
  // Moving an element in the page takes its focus away.
  useEffect(() => {
    if (moved.current === null) return;
    buttons.current?.querySelector<HTMLElement>(moved.current === -1 ? 'button' : 'button:last-child')?.focus();
    moved.current = null;
  }, [at]);
  return (
    <span ref={buttons} className={css['moves']}>
      {(
        [
          { by: -1, label: t('Move {name} up', { name }), sign: '↑', isLast: at === 0 },
          { by: 1, label: t('Move {name} down', { name }), sign: '↓', isLast: at === count - 1 },
        ] as const
      ).map(({ by, label, sign, isLast }) => (
        <button
          key={by}
          type="button"
          className={css['move']}
          aria-label={label}
          aria-disabled={isLast}
          onClick={() => {
            if (isLast) return;
            moved.current = by;
            onMove(by);
          }}
        >
          {sign}
        </button>
      ))}
    </span>
  );
}
