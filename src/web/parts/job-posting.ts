import { isoTime } from "../../core/base/clock.ts";
import type { Core } from "../../core/base/core.ts";
import { renderMarkdown } from "../../core/base/markdown.ts";
import type { Job } from "../../core/community/jobs/job.ts";
import {
  communitySettingsOf,
  isForMembers,
} from "../../core/identity/community-settings/community-settings.ts";

/**
 * Returns an open job as schema.org's JobPosting, with the fields that Google for Jobs requires
 * (docs/contract.md#9.46). Undefined for any other job, and in a community for members.
 */
export function jobPosting(core: Core, job: Job): object | undefined {
  if (job.state !== "open" || isForMembers(core)) return undefined;
  const { min, max, currency } = job.salary;
  return {
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: job.title,
    description: renderMarkdown(job.description),
    identifier: { "@type": "PropertyValue", name: communitySettingsOf(core).name, value: job.id },
    datePosted: isoTime(job.postedAt),
    validThrough: isoTime(job.expiresAt),
    hiringOrganization: { "@type": "Organization", name: job.company.name },
    ...(job.remote
      ? {
          jobLocationType: "TELECOMMUTE",
          applicantLocationRequirements: { "@type": "AdministrativeArea", name: job.location },
        }
      : { jobLocation: { "@type": "Place", address: toAddress(job.location) } }),
    // A salary of 0 means that the company does not state one.
    ...(max > 0
      ? {
          baseSalary: {
            "@type": "MonetaryAmount",
            currency,
            value: { "@type": "QuantitativeValue", minValue: min, maxValue: max, unitText: "YEAR" },
          },
        }
      : {}),
    url: `${core.origin}/jobs/${job.id}`,
  };
}

/** Splits “Berlin, Germany” into locality and country, because the location is free text. */
function toAddress(location: string): object {
  const parts = location.split(",").map((part) => part.trim());
  const country = parts.length > 1 ? parts.at(-1) : undefined;
  const locality = country === undefined ? location : parts.slice(0, -1).join(", ");
  return {
    "@type": "PostalAddress",
    addressLocality: locality,
    ...(country === undefined ? {} : { addressCountry: country }),
  };
}

/** Returns JSON for a script element. The escapes prevent the text from closing the element. */
export function jsonForScript(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
