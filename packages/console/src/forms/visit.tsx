import { compileRules, type RuleSettings } from "@siteward/rules";
import { useState } from "preact/hooks";
import { Field } from "../parts/fields.tsx";
import { say } from "../words/text.ts";

const labels = { url: "URL of the page", ip: "IP address of the visitor", userAgent: "User agent" };
type Visit = Readonly<typeof labels>;

/** Judges a visit in the browser, with what the form says now. */
export function VisitTest({ settings }: { readonly settings: RuleSettings }) {
  const url = `https://${settings.domain}/?utm_source=mail`;
  const [visit, setVisit] = useState<Visit>({ url, ip: "", userAgent: navigator.userAgent });
  const [verdict, text] = judge(settings, visit);
  return (
    <section class="visit" aria-labelledby="visit-title">
      <h2 id="visit-title">Would this visit count?</h2>
      <p class="help">By what the form says now. Nothing is sent. An empty IP address is not judged.</p>
      {Object.entries(labels).map(([id, label]) => {
        // The keys are those of a visit.
        const value = visit[id as keyof Visit];
        return <Field {...{ key: id, id, label, value }} onText={(text) => setVisit({ ...visit, [id]: text })} />;
      })}
      <output class={verdict === excluded ? "wrong" : ""} for="url ip userAgent">
        <strong>{verdict}</strong> {text}
      </output>
    </section>
  );
}

const excluded = "Not counted.";

function judge(settings: RuleSettings, { url, ip, userAgent }: Visit): readonly [verdict: string, text: string] {
  try {
    const visit = { url, userAgent, ...(ip.trim() !== "" && { ip: ip.trim() }) };
    const verdict = compileRules(settings).judge(visit);
    return verdict.counted ? ["Counted", `as ${verdict.url}`] : [excluded, verdict.explanation];
  } catch (error) {
    return ["Cannot say.", say(error)];
  }
}
