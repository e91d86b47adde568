/**
 * A text button: a native one, because it needs nothing from React Aria, which would be a tenth of the first screen.
 */
import { type ReactElement, type ReactNode, type Ref, useState } from 'react';
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { Icon, type IconName } from '../icons.tsx';

/** `speak` makes the learner start speaking, and nothing else is blue. */
type ButtonVariant = 'primary' | 'speak' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps {
  variant?: ButtonVariant;
  large?: boolean;
  icon?: IconName;
  isDisabled?: boolean;
  autoFocus?: boolean;
  type?: 'button' | 'submit';
  onPress?: () => void;
  /** The accessible name, if several buttons have the same text; it begins with that text. */
  label?: string;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

export function Button(props: ButtonProps): ReactElement {
  const { variant = 'secondary', large = false, icon, isDisabled = false, type = 'button', onPress, children } = props;
  const [hasVisibleFocus, setVisibleFocus] = useState(false);
  // Browsers take the focus away from a disabled button, such as one that waits for the action it started.
  const keepsFocus = isDisabled && hasVisibleFocus;
  return (
    <button
      ref={props.ref}
      type={type}
      className={cx(css['button'], css[variant], large && css['large'])}
      disabled={isDisabled && !keepsFocus}
      aria-label={props.label}
      aria-disabled={keepsFocus || undefined}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the caller decides, as it does for every control.
      autoFocus={props.autoFocus}
      onFocus={({ currentTarget }) => setVisibleFocus(currentTarget.matches(':focus-visible'))}
      onBlur={() => setVisibleFocus(false)}
      onClick={(event) => {
        if (keepsFocus) event.preventDefault();
        else onPress?.();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
