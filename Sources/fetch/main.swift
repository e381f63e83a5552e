import FetchCommand

FetchCommand.main()
