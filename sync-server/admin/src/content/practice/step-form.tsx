/** One step of a dialogue: the coach's line, simpler ways to ask, and the learner's replies. */
import { t } from '@parley/i18n';
import {
  type ContentFinding,
  explanationText,
  type PracticeDifficulty,
  type ScriptNode,
  type ScriptReply,
} from '@parley/domain';
import { Button, Switch } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { useUnsaved } from '../../foundation/screen/unsaved.ts';
import { Choice, Field, findingsAt, Lines, Text } from '../fields.tsx';
import { isFreeName } from './replace-step.ts';
import css from '../content.module.css';

const MAX_REPLIES = 3;

interface StepFormProps {
  step: ScriptNode;
  steps: readonly string[];
  /** The index of the step in `steps`. */
  index: number;
  objectives: readonly string[];
  difficulty: PracticeDifficulty;
  isStart: boolean;
  /** Findings whose paths begin at the step. */
  findings: readonly ContentFinding[];
  onChange: (step: ScriptNode) => void;
  onRemove: () => void;
}

export function StepForm(props: StepFormProps): ReactElement {
  const { step, steps, index: place, objectives, difficulty, isStart, findings, onChange, onRemove } = props;
  const set = (change: Partial<ScriptNode>): void => onChange({ ...step, ...change });
  const at = (...path: (string | number)[]) => findingsAt(findings, path);
  const setReply = (index: number, change: Partial<ScriptReply>): void =>
    set({ replies: step.replies.map((reply, other) => (other === index ? { ...reply, ...change } : reply)) });
  return (
    <>
      <StepName steps={steps} index={place} findings={[...at(), ...at('key')]} onRename={(key) => set({ key })} />
      <Text
        label={t('The coach says')}
        value={step.say[difficulty]}
        rows={3}
        findings={at('say', difficulty)}
        onChange={(line) => set({ say: { ...step.say, [difficulty]: line } })}
      />
      <Switch isSelected={step.isEnd} onChange={(isEnd) => set({ isEnd })}>
        {t('The conversation ends here')}
      </Switch>
      {!step.isEnd && (
        <>
          <Lines
            label={t('In simpler words')}
            description={t('One per line, for a learner who didn’t understand.')}
            value={step.rephrase}
            findings={findingsAt(findings, ['rephrase'], true)}
            onChange={(rephrase) => set({ rephrase })}
          />
          <h2>{t('The learner may answer')}</h2>
          {[...at('replies'), ...at('understanding')].map((finding, index) => (
            <p key={index} className={css['notes']}>
              <span data-severity={finding.severity}>{explanationText(finding, t)}</span>
            </p>
          ))}
          {step.replies.map((reply, index) => (
            <fieldset key={index} className={css['part']}>
              <legend>{t('Reply {number}', { number: index + 1 })}</legend>
              <Text
                label={t('Sentence')}
                description={
                  objectives.length === 0
                    ? t('Add an objective first, then mark the words that meet it.')
                    : t('Mark the words that meet an objective: [these words]({objective})', {
                        objective: objectives[0] ?? '',
                      })
                }
                value={reply[difficulty]}
                rows={2}
                findings={at('replies', index, difficulty)}
                onChange={(sentence) => setReply(index, { [difficulty]: sentence })}
              />
              <Text
                label={t('Hint')}
                value={reply.hint}
                findings={at('replies', index, 'hint')}
                onChange={(hint) => setReply(index, { hint })}
              />
              <Choice
                label={t('Then the coach goes to')}
                value={reply.to[difficulty]}
                options={[{ value: '', label: t('Choose…') }, ...steps.map((key) => ({ value: key, label: key }))]}
                findings={at('replies', index, 'to')}
                onChange={(target) => setReply(index, { to: follow(reply.to, difficulty, target) })}
              />
              <Button
                variant="quiet"
                onPress={() => set({ replies: step.replies.filter((_, other) => other !== index) })}
              >
                {t('Remove reply {number}', { number: index + 1 })}
              </Button>
            </fieldset>
          ))}
          <div>
            <Button
              isDisabled={step.replies.length >= MAX_REPLIES}
              onPress={() =>
                set({
                  replies: [
                    ...step.replies,
                    { to: { easy: '', intermediate: '', hard: '' }, hint: '', easy: '', intermediate: '', hard: '' },
                  ],
                })
              }
            >
              {t('Add a reply')}
            </Button>
          </div>
        </>
      )}
      {!isStart && (
        <Button variant="quiet" onPress={onRemove}>
          {t('Remove this step')}
        </Button>
      )}
    </>
  );
}

interface StepNameProps extends Pick<StepFormProps, 'steps' | 'index' | 'findings'> {
  onRename: (name: string) => void;
}

/**
 * The name is assigned when typing is complete: until then, it may equal another step's name, and each renaming updates
 * all references.
 */
function StepName({ steps, index, findings, onRename }: StepNameProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null);
  const name = steps[index] ?? '';
  useUnsaved(typed !== null && typed !== name);
  const isTaken = typed !== null && typed !== '' && !isFreeName(steps, index, typed);
  const giveName = (): void => {
    if (typed === null || isTaken) return;
    setTyped(null);
    if (typed !== '' && typed !== name) onRename(typed);
  };
  return (
    <Field
      label={t('Name of the step')}
      findings={findings}
      problem={isTaken ? t('Another step has this name.') : null}
    >
      {(props) => (
        <input
          {...props}
          dir="auto"
          value={typed ?? name}
          onChange={({ target }) => setTyped(target.value.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-'))}
          onBlur={giveName}
          onKeyDown={({ key }) => {
            if (key === 'Enter') giveName();
          }}
        />
      )}
    </Field>
  );
}

/** All levels lead to the same step until an author separates them. */
function follow(to: ScriptReply['to'], difficulty: PracticeDifficulty, target: string): ScriptReply['to'] {
  const isSame = to.easy === to.intermediate && to.easy === to.hard;
  return isSame ? { easy: target, intermediate: target, hard: target } : { ...to, [difficulty]: target };
}
