/*
 * Main programs of the clients that `bun run clients` generates. Each reads the whole feed, twenty posts per
 * page, and prints the number of posts. The query contains a timestamp, formatted by the client's language.
 */

export const PYTHON_MAIN = `import os
from datetime import datetime, timezone

import openapi_client

configuration = openapi_client.Configuration(host=os.environ["URL"], access_token=os.environ["TOKEN"])
with openapi_client.ApiClient(configuration) as client:
    feed = openapi_client.FeedApi(client)
    since = datetime(2000, 1, 1, tzinfo=timezone.utc)
    posts, pages, cursor = set(), 0, None
    while True:
        page = feed.list_feed(cursor=cursor, limit=20, since=since)
        pages += 1
        posts.update(post.id for post in page.data)
        cursor = page.next
        if cursor is None:
            break
print(len(posts), "posts on", pages, "pages")
`;

export const JAVA_MAIN = `import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.FeedApi;
import org.openapitools.client.model.Post;
import org.openapitools.client.model.PostPage;

public class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TOKEN")));
    FeedApi feed = new FeedApi(client);
    OffsetDateTime since = OffsetDateTime.of(2000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    Set<String> posts = new HashSet<>();
    int pages = 0;
    String cursor = null;
    do {
      PostPage page = feed.listFeed(cursor, 20, null, null, since);
      pages++;
      for (Post post : page.getData()) posts.add(post.getId());
      cursor = page.getNext();
    } while (cursor != null);
    System.out.println(posts.size() + " posts on " + pages + " pages");
  }
}
`;

export const TYPESCRIPT_MAIN = `import { Configuration, FeedApi } from "./index";

declare const process: { env: Record<string, string> };

// For an OAuth scheme, the generated code does not add the prefix “Bearer”.
const { URL: basePath = "", TOKEN: token = "" } = process.env;
const accessToken = (scheme?: string) => (scheme === "oauth2" ? "Bearer " + token : token);
const configuration = new Configuration({ basePath, accessToken });
const feed = new FeedApi(configuration);
const since = new Date("2000-01-01T00:00:00Z");
const posts = new Set<string>();
let pages = 0;
let cursor: string | null = null;
do {
  const page = await feed.listFeed({ limit: 20, since, ...(cursor === null ? {} : { cursor }) });
  pages++;
  for (const post of page.data) posts.add(post.id);
  cursor = page.next;
} while (cursor !== null);
console.log(posts.size + " posts on " + pages + " pages");

export {};
`;

export const GO_MAIN = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	client, err := NewClientWithResponses(os.Getenv("URL"), WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}))
	must(err)
	limit := 20
	since := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	posts, pages := map[string]bool{}, 0
	var cursor *string
	for {
		answer, err := client.ListFeedWithResponse(context.Background(), &ListFeedParams{Cursor: cursor, Limit: &limit, Since: &since})
		must(err)
		if answer.JSON200 == nil {
			panic(answer.Status())
		}
		pages++
		for _, post := range answer.JSON200.Data {
			posts[post.Id] = true
		}
		cursor = answer.JSON200.Next
		if cursor == nil {
			break
		}
	}
	fmt.Println(len(posts), "posts on", pages, "pages")
}
`;
