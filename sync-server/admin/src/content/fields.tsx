/** Form fields with the validator's findings next to them. */
import { t } from '@parley/i18n';
import { type ContentFinding, explanationText } from '@parley/domain';
import { type ReactElement, type ReactNode, useId } from 'react';
import { lengthProblem } from '../foundation/screen/length-problem.ts';
import css from './content.module.css';

type Path = readonly (string | number)[];

/** Findings at this place, and with `below` also in its parts. */
export const findingsAt = (findings: readonly ContentFinding[], path: Path, below = false): ContentFinding[] =>
  findings.filter(
    (finding) =>
      (below ? finding.path.length >= path.length : finding.path.length === path.length) &&
      path.every((step, index) => finding.path[index] === step),
  );

export interface FieldProps {
  label: string;
  findings?: readonly ContentFinding[];
  /** A problem found by the form itself; null when the value is valid. */
  problem?: string | null;
  description?: string;
}

export function Field({
  label,
  findings = [],
  problem = null,
  description,
  children,
}: FieldProps & {
  children: (props: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
}): ReactElement {
  const id = useId();
  const isInvalid = problem !== null || findings.some(({ severity }) => severity === 'error');
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-notes`, 'aria-invalid': isInvalid })}
      <div id={`${id}-notes`} className={css['notes']}>
        {description !== undefined && <p>{description}</p>}
        {problem !== null && <p data-severity="error">{problem}</p>}
        {findings.map((finding, index) => (
          <p key={index} data-severity={finding.severity}>
            {explanationText(finding, t)}
          </p>
        ))}
      </div>
    </div>
  );
}

interface TextProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /**
   * For a text that is not part of a document and is limited by its own schema. A longer text stays in the field,
   * whereas the browser's own limit would cut off the end of a pasted text.
   */
  maxLength?: number;
  /** With more than one row, the field is a text area. */
  rows?: number;
  isCode?: boolean;
}

export const Text = ({
  value,
  onChange,
  maxLength = Number.POSITIVE_INFINITY,
  rows = 1,
  isCode = false,
  ...field
}: TextProps): ReactElement => (
  <Field {...field} problem={field.problem ?? lengthProblem(field.label, value, maxLength)}>
    {(props) =>
      rows === 1 ? (
        <input {...props} dir="auto" value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea
          {...props}
          dir="auto"
          className={isCode ? css['code'] : undefined}
          value={value}
          rows={rows}
          spellCheck={!isCode}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    }
  </Field>
);

interface ChoiceProps<Value extends string> extends FieldProps {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

export const Choice = <Value extends string>({
  value,
  options,
  onChange,
  ...field
}: ChoiceProps<Value>): ReactElement => (
  <Field {...field}>
    {(props) => (
      <select
        {...props}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** A list of short texts, one per line. */
export const Lines = ({
  value,
  onChange,
  ...field
}: FieldProps & { value: readonly string[]; onChange: (value: string[]) => void }): ReactElement => (
  <Field description={t('One per line.')} {...field}>
    {(props) => (
      <textarea
        {...props}
        dir="auto"
        rows={Math.min(8, Math.max(3, value.length + 1))}
        value={value.join('\n')}
        onChange={(event) => {
          const text = event.target.value;
          onChange(text === '' ? [] : text.split('\n'));
        }}
      />
    )}
  </Field>
);
