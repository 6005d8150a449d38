-- Which words stand in a job's title is told from the title itself: nothing asks the index of titles any more.
DROP TABLE job_titles;
