/** What the choice controls share: their options, and the props of React Aria. */
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { ariaLabelWhenHidden, type Labelled } from './label.tsx';

export interface Option<Value extends string> {
  value: Value;
  label: string;
  isDisabled?: boolean;
}

/** Builds options from a record, in its order. Not for numeric keys, which objects sort first. */
export const toOptions = <Value extends string>(labels: Readonly<Record<Value, string>>): Option<Value>[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));

export interface ChoiceProps<Value extends string> extends Labelled {
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** The props that React Aria's choices share; `onChange` receives the option's value instead of React Aria's key. */
export const toAriaChoiceProps = <Value extends string>(props: ChoiceProps<Value>) => ({
  className: cx(css['field']),
  ...ariaLabelWhenHidden(props),
  value: props.value,
  onChange: (key: unknown): void => {
    const chosen = props.options.find(({ value }) => value === key);
    if (chosen !== undefined) props.onChange(chosen.value);
  },
});
