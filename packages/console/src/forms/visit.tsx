import { compileRules, type RuleSettings } from "@siteward/rules";
import { useState } from "preact/hooks";
import { Field } from "../parts/fields.tsx";
import { say } from "../words/text.ts";

const fields = [
  { name: "url", label: "URL of the page" },
  { name: "ip", label: "IP address of the visitor" },
  { name: "userAgent", label: "User agent" },
] as const;
type Visit = Readonly<Record<(typeof fields)[number]["name"], string>>;

/** @param isDraft whether the settings are not saved yet */
type Props = Readonly<{ settings: RuleSettings; isDraft: boolean }>;

/** Judges a visit in the browser, with what the form says now. */
export function VisitTest({ settings, isDraft }: Props) {
  const url = `https://${settings.domain}/?utm_source=mail`;
  const [visit, setVisit] = useState<Visit>({ url, ip: "", userAgent: navigator.userAgent });
  const { kind, title, text } = judge(settings, visit);
  return (
    <section class="visit" aria-labelledby="visit-title">
      <h2 id="visit-title">Would this visit count?</h2>
      <p class="help">
        {isDraft ? "With your changes, which are not saved yet." : "With the settings as they are saved."} Nothing is
        sent. An empty IP address is not judged.
      </p>
      {fields.map(({ name, label }) => (
        <Field
          key={name}
          id={name}
          label={label}
          value={visit[name]}
          onText={(text) => setVisit({ ...visit, [name]: text })}
        />
      ))}
      <output class={`verdict ${kind}`} for="url ip userAgent">
        <strong>{title}</strong> {text}
      </output>
    </section>
  );
}

function judge(settings: RuleSettings, { url, ip, userAgent }: Visit) {
  try {
    const visit = { url, userAgent, ...(ip.trim() !== "" && { ip: ip.trim() }) };
    const verdict = compileRules(settings).judge(visit);
    return verdict.counted
      ? { kind: "yes", title: "Counted", text: `as ${verdict.url}` }
      : { kind: "no", title: "Not counted.", text: verdict.explanation };
  } catch (error) {
    return { kind: "", title: "Cannot say.", text: say(error) };
  }
}
