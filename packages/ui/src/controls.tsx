/** Buttons, choices, fields, dialogs and tabs, built on React Aria. */
import type { ReactElement, ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from './class-names.ts';
import css from './controls.module.css';
import { Icon, type IconName } from './icons.tsx';

/** `speak` starts the learner speaking, and nothing else is blue. */
type ButtonVariant = 'primary' | 'speak' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps {
  variant?: ButtonVariant;
  large?: boolean;
  icon?: IconName;
  isDisabled?: boolean;
  autoFocus?: boolean;
  type?: 'button' | 'submit';
  onPress?: () => void;
  children: ReactNode;
}

export function Button({ variant = 'secondary', large = false, icon, children, ...rest }: ButtonProps): ReactElement {
  return (
    <Aria.Button className={cx(css['button'], css[variant], large && css['large'])} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Aria.Button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'large' | 'icon'> {
  icon: IconName;
  /** The action, for screen readers and the tooltip. */
  label: string;
}

export function IconButton({ variant = 'quiet', icon, label, ...rest }: IconButtonProps): ReactElement {
  return (
    <Aria.TooltipTrigger delay={500}>
      <Aria.Button className={cx(css['button'], css[variant], css['icon'])} aria-label={label} {...rest}>
        <Icon name={icon} />
      </Aria.Button>
      <Aria.Tooltip className={cx(css['popover'], css['tooltip'])}>{label}</Aria.Tooltip>
    </Aria.TooltipTrigger>
  );
}

export interface ToggleProps {
  icon: IconName;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
  children: ReactNode;
}

/** A toggle button. */
export function Toggle({ icon, children, ...rest }: ToggleProps): ReactElement {
  return (
    <Aria.ToggleButton className={cx(css['button'], css['secondary'], css['toggle'])} {...rest}>
      <Icon name={icon} />
      {children}
    </Aria.ToggleButton>
  );
}

interface Labelled {
  label: string;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
}

const Label = ({ label, hideLabel = false }: Labelled): ReactElement | null =>
  hideLabel ? null : <Aria.Label className={cx(css['label'])}>{label}</Aria.Label>;

const ariaLabelWhenHidden = ({ label, hideLabel = false }: Labelled): { 'aria-label'?: string } =>
  hideLabel ? { 'aria-label': label } : {};

export interface TextFieldProps extends Labelled {
  value: string;
  onChange: (value: string) => void;
  onSubmit?: () => void;
  description?: string;
  placeholder?: string;
  autoFocus?: boolean;
  isInvalid?: boolean;
  maxLength?: number;
  type?: 'text' | 'search' | 'email';
  inputMode?: 'numeric';
  autoComplete?: 'email' | 'one-time-code' | 'given-name' | 'organization-title';
}

export function TextField({
  label,
  hideLabel = false,
  description,
  placeholder,
  onSubmit,
  ...rest
}: TextFieldProps): ReactElement {
  return (
    <Aria.TextField
      className={cx(css['field'])}
      {...ariaLabelWhenHidden({ label, hideLabel })}
      {...rest}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && onSubmit !== undefined) onSubmit();
        else event.continuePropagation();
      }}
    >
      <Label label={label} hideLabel={hideLabel} />
      <Aria.Input className={cx(css['input'])} {...(placeholder === undefined ? {} : { placeholder })} />
      {description !== undefined && (
        <Aria.Text slot="description" className={cx(css['description'])}>
          {description}
        </Aria.Text>
      )}
    </Aria.TextField>
  );
}

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
const toAriaChoiceProps = <Value extends string>(props: ChoiceProps<Value>) => ({
  className: cx(css['field']),
  ...ariaLabelWhenHidden(props),
  value: props.value,
  onChange: (key: unknown): void => {
    const chosen = props.options.find(({ value }) => value === key);
    if (chosen !== undefined) props.onChange(chosen.value);
  },
});

/** A single choice with its options side by side. */
export function SegmentedControl<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  return (
    <Aria.RadioGroup {...toAriaChoiceProps(props)} orientation="horizontal">
      <Label {...props} />
      <div className={css['segments']}>
        {props.options.map((option) => (
          <Aria.Radio
            key={option.value}
            value={option.value}
            isDisabled={option.isDisabled ?? false}
            className={cx(css['segment'])}
          >
            {option.label}
          </Aria.Radio>
        ))}
      </div>
    </Aria.RadioGroup>
  );
}

/** A single choice in a drop-down list. */
export function Select<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  return (
    <Aria.Select {...toAriaChoiceProps(props)}>
      <Label {...props} />
      <Aria.Button className={cx(css['select'])}>
        <Aria.SelectValue />
        <span aria-hidden="true">▾</span>
      </Aria.Button>
      <Aria.Popover className={cx(css['popover'])}>
        <Aria.ListBox>
          {props.options.map((option) => (
            <Aria.ListBoxItem key={option.value} id={option.value} className={cx(css['option'])}>
              {option.label}
            </Aria.ListBoxItem>
          ))}
        </Aria.ListBox>
      </Aria.Popover>
    </Aria.Select>
  );
}

export function Switch(props: {
  isSelected: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}): ReactElement {
  return (
    <Aria.Switch className={cx(css['switch'])} isSelected={props.isSelected} onChange={props.onChange}>
      <span className={css['track']} />
      <span>{props.children}</span>
    </Aria.Switch>
  );
}

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactElement {
  return (
    <Aria.ModalOverlay
      className={cx(css['overlay'])}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Aria.Modal>
        <Aria.Dialog className={cx(css['dialog'])}>
          <Aria.Heading slot="title">{title}</Aria.Heading>
          {children}
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  );
}

export function Tabs(props: {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
}): ReactElement {
  return (
    <Aria.Tabs className={cx(css['tabs'])}>
      <Aria.TabList className={cx(css['tabList'])} aria-label={props.label}>
        {props.tabs.map((tab) => (
          <Aria.Tab key={tab.id} id={tab.id} className={cx(css['tab'])}>
            {tab.title}
          </Aria.Tab>
        ))}
      </Aria.TabList>
      {props.tabs.map((tab) => (
        <Aria.TabPanel key={tab.id} id={tab.id}>
          {tab.content}
        </Aria.TabPanel>
      ))}
    </Aria.Tabs>
  );
}
