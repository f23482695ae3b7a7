// The dialogue of a pattern's parameters. Values are checked by the server, which says what is wrong with them in the
// words of the command line.
import { useEffect, useRef, useState } from "preact/hooks";
import { visible } from "../text/visible_names";
import { parameterName } from "./analysis_choice";
import type { ServedParameter, ServedPattern } from "./server_types";
import type { ServeStore } from "./serve_store";

interface PatternDialogueProps {
  store: ServeStore;
  pattern: ServedPattern;
  onClose: () => void;
}

export function PatternDialogue({ store, pattern, onClose }: PatternDialogueProps) {
  const { choice } = store;
  const dialogue = useRef<HTMLDialogElement>(null);
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      pattern.parameters.map((parameter) => [
        parameter.name,
        choice.set[parameterName(pattern.id, parameter)] ?? parameter.default,
      ]),
    ),
  );
  const [error, setError] = useState("");
  useEffect(() => dialogue.current!.showModal(), []);
  const close = () => dialogue.current!.close(); // gives the focus back to what had it
  const apply = async () => {
    const set = { ...choice.set };
    for (const parameter of pattern.parameters) {
      const name = parameterName(pattern.id, parameter);
      const text = texts[parameter.name]!;
      if (text === parameter.default) delete set[name];
      else set[name] = text;
    }
    if (!choice.patterns.has(pattern.id)) choice.patterns.set([pattern.id], true);
    // Only what concerns these parameters is an error here: the rest of the choice may be incomplete.
    const asked = Object.fromEntries(Object.entries(set).filter(([name]) => name.startsWith(`${pattern.id}.`)));
    const answer = await store.commandOf({ ...choice.patterns.request(), set: asked });
    if (answer.error !== "") return setError(answer.error);
    choice.set = set;
    store.choiceChanged(`the parameters of ${visible(pattern.name)} are set`);
    close();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.target as Element).tagName === "INPUT") {
      event.preventDefault();
      void apply();
    }
  };
  return (
    <dialog ref={dialogue} aria-labelledby="dialogue-title" onClose={onClose} onKeyDown={onKey}>
      <h2 id="dialogue-title">{`Configure ${visible(pattern.name)}`}</h2>
      <p>{visible(pattern.description)}</p>
      {pattern.parameters.map((parameter) => (
        <ParameterField
          pattern={pattern}
          parameter={parameter}
          text={texts[parameter.name]!}
          onText={(text) => setTexts({ ...texts, [parameter.name]: text })}
        />
      ))}
      {error !== "" && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="tools">
        <button id="apply" class="main" onClick={() => void apply()}>
          Apply
        </button>
        <button onClick={close}>Cancel</button>
      </div>
    </dialog>
  );
}

interface ParameterFieldProps {
  pattern: ServedPattern;
  parameter: ServedParameter;
  text: string;
  onText: (text: string) => void;
}

function ParameterField({ pattern, parameter, text, onText }: ParameterFieldProps) {
  const { name, unit, description } = parameter;
  const id = `parameter-${pattern.id}-${name}`;
  return (
    <div class="field">
      <label for={id}>{visible(name)}</label>
      <span class="value">
        <input
          id={id}
          {...kindOfInput(parameter)}
          value={text}
          aria-describedby={`${id}-about`}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        {` ${visible(unit)} `}
        <button
          aria-label={`reset ${visible(name)}`}
          disabled={text === parameter.default}
          onClick={() => onText(parameter.default)}
        >
          Reset
        </button>
      </span>
      <div id={`${id}-about`} class="quiet">
        {`${visible(description)} ${kindText(parameter)}`}
      </div>
    </div>
  );
}

const kindOfInput = ({ type, minimum, maximum }: ServedParameter) =>
  type === "text"
    ? { type: "text" as const, list: undefined }
    : { type: "number" as const, step: type === "integer" ? 1 : "any", min: minimum, max: maximum };

function kindText(parameter: ServedParameter): string {
  const { type, default: byDefault } = parameter;
  const kind = { integer: "A whole number", number: "A number", text: "A text" }[type];
  return `${kind}${rangeText(parameter)}; default: ${byDefault === "" ? "none" : visible(byDefault)}.`;
}

/** The range as the command line says it. */
function rangeText({ minimum, maximum }: ServedParameter): string {
  if (minimum !== undefined && maximum !== undefined) return ` (${minimum} to ${maximum})`;
  if (minimum !== undefined) return ` (at least ${minimum})`;
  return maximum === undefined ? "" : ` (at most ${maximum})`;
}
