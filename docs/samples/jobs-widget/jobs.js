// Shows a community's newest jobs on any page: no token, no library, no build step.
// The feed is public if the community is. Browsers cache it for five minutes.
for (const list of document.querySelectorAll("[data-guildhall-jobs]")) show(list);

async function show(list) {
  const { guildhallJobs: guild, limit = 5 } = list.dataset;
  try {
    const answer = await fetch(`${guild}/jobs/feed.json`);
    if (!answer.ok) throw new Error(`The feed answered ${answer.status}.`);
    const { items } = await answer.json();
    list.replaceChildren(...items.slice(0, limit).map(item));
  } catch (error) {
    // Keep the link to the board that is on the page.
    console.warn(`No jobs from ${guild}:`, error);
  }
}

// Use textContent, never innerHTML: titles are written by other people.
function item({ url, title, content_text: about }) {
  const [li, link, line] = ["li", "a", "p"].map((name) => document.createElement(name));
  link.href = url;
  link.textContent = title;
  line.textContent = about;
  li.append(link, line);
  return li;
}
